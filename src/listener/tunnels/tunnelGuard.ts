import { spawn } from 'node:child_process';
import { endSignals, hasGroups, signalGroup } from '../program/processGroup.ts';
import type { GuardReport } from './tunnelProcess.ts';

// A separate process between its host and a tunnel program: `tunnelGuard <killAfterMs> <program> <arguments…>`. It
// ends the program on request, and when the channel to the host closes, which happens however the host ends: a
// program that outlived the host would lead strangers to a port that another program may take next. When its program
// ends, it reports how, and exits.
const [killAfterMs, command = '', ...args] = process.argv.slice(2);
// This variable is meant for this process only.
delete process.env['ELECTRON_RUN_AS_NODE'];
// A group of its own, since the program may be a script that starts the real one.
const program = spawn(command, args, {
  stdio: ['ignore', 'inherit', 'inherit'],
  windowsHide: true,
  detached: hasGroups,
});

function end(): void {
  signalGroup(program.pid, 'SIGTERM');
  setTimeout(() => signalGroup(program.pid, 'SIGKILL'), Number(killAfterMs)).unref();
}

function report(message: GuardReport): void {
  if (process.connected) process.send?.(message, () => process.exit());
  else process.exit();
}

program.once('error', ({ message }) => report({ kind: 'unstartable', reason: message }));
program.once('exit', (code, signal) => {
  // Windows does not know any more what it has started.
  if (hasGroups) signalGroup(program.pid, 'SIGKILL');
  report({ kind: 'ended', how: signal ?? String(code) });
});
// The only message there is asks it to end.
process.once('message', end);
// guard S78: The tunnel closes with a listener program that is killed.
process.once('disconnect', end);
// Ctrl+C in the terminal of the host reaches this process too.
for (const signal of endSignals) process.on(signal, end);
