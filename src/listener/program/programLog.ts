import * as fs from 'node:fs';
import { openRegularFile } from '../../files/regularFile.ts';
import { join } from 'node:path';

/** The size at which a new file is started, in bytes; the previous one is kept beside it. */
const mostBytes = 256 * 1024;

/** The program's log: one line per entry, in a file of limited size. It contains no secret and no body. */
export function programLog(folder: string): { say: (line: string) => void } {
  const path = join(folder, 'listener.log');
  const say = (line: string): void => {
    try {
      const found = fs.statSync(path, { throwIfNoEntry: false });
      if (found !== undefined && (found.size > mostBytes || !found.isFile()))
        fs.renameSync(path, `${path}.before`);
      const { O_APPEND, O_CREAT, O_WRONLY } = fs.constants;
      const file = openRegularFile(path, O_APPEND | O_CREAT | O_WRONLY);
      fs.writeSync(file, `${new Date().toISOString()} ${line}\n`);
      fs.closeSync(file);
    } catch {
      // A failure to log must not break the program.
    }
  };
  return { say };
}
