import { spawn } from 'node:child_process';
import type { GuardReport } from './tunnelProcess.ts';

// A process of its own between the extension host and a tunnel program: `tunnelGuard <killAfterMs> <program>
// <arguments…>`. It ends the program when it is told to, and when the channel to the host closes, which it does however the host ends:
// a program that outlived it would lead strangers to a port that another program may take next. It ends with
// its program, and reports how.
const [killAfterMs, command = '', ...args] = process.argv.slice(2);
// Meant for this process alone.
delete process.env['ELECTRON_RUN_AS_NODE'];
const program = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });

function end(): void {
  program.kill();
  setTimeout(() => program.kill('SIGKILL'), Number(killAfterMs)).unref();
}

function report(message: GuardReport): void {
  if (process.connected) process.send?.(message, () => process.exit());
  else process.exit();
}

program.once('error', ({ message }) => report({ kind: 'unstartable', reason: message }));
program.once('exit', (code, signal) => report({ kind: 'ended', how: signal ?? String(code) }));
// The one message that there is says to end.
process.once('message', end);
// guard: and with a listener program that is killed
process.once('disconnect', end);
// Ctrl+C in the terminal that the host was started from reaches this process too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
