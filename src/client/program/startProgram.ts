import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ProgramStart } from '../../model/processes/programStart.ts';
import { revive } from '../../model/processes/rpc.ts';

/** How long a program may take to report that it has started, in milliseconds. */
const startsWithinMs = 15_000;
/** Keeps memory small, since the program runs for long: collects garbage early, and after a burst. */
const nodeOptions = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--heap-growing-percent=20',
  '--expose-gc',
];
/** Makes glibc return free memory to the system; other C libraries ignore these variables. */
const memoryOptions = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };
/**
 * The environment variables that a program gets: only those that Node and its child processes need, since others may
 * reveal data of the user. cloudflared and ngrok find their configuration in the user's folders and in their own
 * variables, and need the system's proxy and certificates to connect.
 */
const passedOn = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'SystemRoot',
  'TEMP',
  'TMP',
  'TMPDIR',
  'XDG_RUNTIME_DIR',
  'LANG',
  'APPDATA',
  'LOCALAPPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'XDG_CONFIG_HOME',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_COMPILE_CACHE',
  'NGROK_AUTHTOKEN',
  'NGROK_CONFIG',
];

/**
 * Starts a listener program that outlives this process. The host's own Node runs it.
 * @param entry the bundle of the command line
 * @param wait how long it waits for an old program to end, in milliseconds; `onWaiting` is called when it begins to
 * @returns `taken` if the folder has another program already
 * @throws Error if it cannot be started, or reports nothing
 */
export function startProgram(
  entry: string,
  folder: string,
  wait: { ms: number; onWaiting: () => void } = { ms: 0, onWaiting: () => undefined },
): Promise<'ready' | 'taken'> {
  const args = [...nodeOptions, entry, 'program', folder, wait.ms.toString()];
  const environment = Object.fromEntries(passedOn.map((name) => [name, process.env[name]]));
  const program = spawn(process.execPath, args, {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...environment, ELECTRON_RUN_AS_NODE: '1', ...memoryOptions },
  });
  return new Promise((resolve, reject) => {
    const lines = createInterface(program.stdout);
    const tooLate = setTimeout(
      () => settle(() => reject(new Error('ETIMEDOUT: it says nothing'))),
      startsWithinMs,
    );
    const settle = (how: () => void): void => {
      clearTimeout(tooLate);
      lines.close();
      program.stdout.destroy();
      program.unref();
      how();
    };
    program.once('error', (error) => settle(() => reject(error)));
    program.once('exit', (code) => {
      // Its last line may still be on the way.
      setTimeout(() => settle(() => reject(new Error(`It ended with code ${String(code)}.`))), 200);
    });
    lines.on('line', (line) => {
      // Not validated: the program is of the same build, so its line is a ProgramStart.
      const start = JSON.parse(line) as ProgramStart;
      if (start.kind === 'waiting') {
        wait.onWaiting();
        return;
      }
      settle(() => {
        if (start.kind === 'failed') reject(revive(start.failure));
        else resolve(start.kind);
      });
    });
  });
}
