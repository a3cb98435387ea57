import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { t } from '../../model/text/l10n.ts';
import { textOfFile } from '../../model/text/textOfFile.ts';
import { UserError } from '../../model/text/userError.ts';

/** Does not wait for the writer of a pipe. Windows has no such flag: undefined counts as 0. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Reads a file that a user names. Only a regular file is read: a repository may hold a link to a device or a pipe.
 * @param most the largest size, in bytes. A larger file is not read
 * @throws UserError if it is none, or too large; errors of the file system
 */
export function givenBytes(path: string, most: number): Buffer {
  const file = openSync(path, flags);
  try {
    const stats = fstatSync(file);
    // guard S68: A link to a device, a pipe or an endless file is not read.
    if (!stats.isFile()) throw new UserError(t('It is not a file.'));
    const pieces: Buffer[] = [];
    // The size is what it was just now: the file may grow, and files of the system have the size 0.
    for (let length = stats.size; length <= most;) {
      const piece = Buffer.alloc(Math.max(stats.size, 64 * 1024) + 1);
      const count = readSync(file, piece);
      if (count === 0) return Buffer.concat(pieces);
      pieces.push(piece.subarray(0, count));
      length = pieces.reduce((sum, one) => sum + one.length, 0);
    }
    throw new UserError(t('It is larger than {0} MiB.', most / 1024 / 1024));
  } finally {
    closeSync(file);
  }
}

/** The same for a text. @throws UserError also if it is not UTF-8 */
export function givenText(path: string, most: number): string {
  return textOfFile(givenBytes(path, most));
}
