import * as fs from 'node:fs';
import { join } from 'node:path';

/** When the file is begun anew; the one before is kept beside it. */
const mostBytes = 256 * 1024;

/** What the program has to say of itself, a line each, in a file that does not grow. It names no secret and no body. */
export function programLog(folder: string): { say: (line: string) => void } {
  const path = join(folder, 'listener.log');
  const say = (line: string): void => {
    try {
      const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size > mostBytes) fs.renameSync(path, `${path}.before`);
      fs.appendFileSync(path, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
    } catch {
      // A log that cannot be written must not end what it tells of.
    }
  };
  return { say };
}
