import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { revive } from '../../model/processes/failure.ts';
import type { ProgramStart } from '../../model/processes/programStart.ts';

/** How long a program may take to say that it is there, in milliseconds. */
const startsWithinMs = 15_000;
/** Garbage is collected before there is much of it, and after a burst: the program runs for long. */
const nodeOptions = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--heap-growing-percent=20',
  '--expose-gc',
];
/** Has glibc give back memory that is free; where there is another library, nothing reads it. */
const memoryOptions = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };
/**
 * What a program gets of the environment: what Node and its child processes need, and no more of what tells of the user.
 * cloudflared and ngrok find their configuration in the folders of the user and in the names that are theirs, and get out
 * by the proxy and the certificates of the system's.
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
  'NGROK_AUTHTOKEN',
  'NGROK_CONFIG',
];

/**
 * Starts a listener program that goes on when this process ends. The host's own Node runs it.
 * @param entry the bundle of the command line
 * @param wait for one that is about to end: how long, in milliseconds, and who is told that it waits
 * @returns whether the folder has another program already
 * @throws Error where it cannot be started, or says nothing
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
      // Its line may still be on the way.
      setTimeout(() => settle(() => reject(new Error(`It ended with code ${String(code)}.`))), 200);
    });
    lines.on('line', (line) => {
      // It is of the same build: its line is a ProgramStart.
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
