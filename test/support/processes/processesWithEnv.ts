import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

interface RunningProcess {
  pid: number;
  command: string;
}

/**
 * The processes whose environment contains a text. Since children inherit the environment, this also finds processes
 * whose parent has exited.
 */
export async function processesWithEnv(mark: string): Promise<RunningProcess[]> {
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
        // It has exited, or belongs to another user.
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
