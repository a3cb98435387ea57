import * as fs from 'node:fs';
import { join } from 'node:path';

const fileName = 'listener.log';
/** When the file is begun anew; the one before is kept beside it. */
const mostBytes = 256 * 1024;

/** What the program has to say of itself, a line each, in a file that does not grow. It names no secret and no body. */
export class ProgramLog {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, fileName);
  }

  say(line: string): void {
    try {
      const size = fs.statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
      if (size > mostBytes) fs.renameSync(this.#path, `${this.#path}.before`);
      fs.appendFileSync(this.#path, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
    } catch {
      // A log that cannot be written must not end what it tells of.
    }
  }
}
