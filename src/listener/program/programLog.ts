import * as fs from 'node:fs';
import { join } from 'node:path';

/** The size at which a new file is started, in bytes; the previous one is kept beside it. */
const mostBytes = 256 * 1024;

/** The program's log: one line per entry, in a file of limited size. It contains no secret and no body. */
export function programLog(folder: string): { say: (line: string) => void } {
  const path = join(folder, 'listener.log');
  const say = (line: string): void => {
    try {
      const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size > mostBytes) fs.renameSync(path, `${path}.before`);
      fs.appendFileSync(path, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
    } catch {
      // A failure to log must not break the program.
    }
  };
  return { say };
}
