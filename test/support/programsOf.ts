import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { waitFor } from './waitFor.ts';

/** The process ids of the listener programs of a storage folder, and of those below it, that run now. */
export async function programsOf(folder: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['axww', '-o', 'pid=,args='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return command?.includes(` program ${folder}`) === true ? [Number(pid)] : [];
  });
}

/** SIGKILL: nothing in them gets to run any more. Resolves when they have gone. */
export async function killPrograms(folder: string): Promise<void> {
  await waitFor('the programs to be gone', async () => {
    const left = await programsOf(folder);
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has gone meanwhile.
      }
    }
    return left.length === 0;
  });
}
