import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { waitFor } from '../time/waitFor.ts';

/** The process ids of the running listener programs whose storage folder is this folder or below it. */
export async function listenerPrograms(folder: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['axww', '-o', 'pid=,args='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return command?.includes(` program ${folder}`) === true ? [Number(pid)] : [];
  });
}

/** Kills these programs with SIGKILL. Resolves when they are gone; a window starts the next one at once. */
export async function killRunningPrograms(folder: string): Promise<void> {
  const killed = await killAll(folder);
  await waitFor('the killed programs to be gone', async () => {
    const left = await listenerPrograms(folder);
    return !killed.some((pid) => left.includes(pid));
  });
}

/** Kills these programs with SIGKILL until there are none. Their windows have to be gone. */
export async function killListenerPrograms(folder: string): Promise<void> {
  await waitFor('the programs to be gone', async () => (await killAll(folder)).length === 0);
}

async function killAll(folder: string): Promise<number[]> {
  const running = await listenerPrograms(folder);
  for (const pid of running) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already exited.
    }
  }
  return running;
}
