import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface RunningProcess {
  pid: number;
  command: string;
}

/**
 * The processes whose environment holds a text. A process inherits its environment, so that those are found
 * too whose parent has gone.
 */
export async function processesWith(mark: string): Promise<RunningProcess[]> {
  return process.platform === 'linux' ? fromProc(mark) : fromPs(mark);
}

async function fromProc(mark: string): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid): Promise<RunningProcess[]> => {
      try {
        const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
        if (!environment.includes(mark)) return [];
        const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
        return [{ pid: Number(pid), command: command.replaceAll('\0', ' ').slice(0, 200) }];
      } catch {
        // It ended meanwhile, or belongs to somebody else.
        return [];
      }
    }),
  );
  return found.flat();
}

async function fromPs(mark: string): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['axeww', '-o', 'pid=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || command === undefined || !command.includes(mark)
      ? []
      : [{ pid: Number(pid), command: command.slice(0, 200) }];
  });
}
