import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { encodingOf } from '../shared/text/textOfFile.ts';

/** The content of a file, for the search for tokens. */
export type FileText =
  | { kind: 'text'; text: string }
  | { kind: 'tooLarge' | 'binary' | 'unreadable' }
  /** The file is gone, or is not a regular file. This need not be reported. */
  | { kind: 'none' };

/** The longest file that is searched, in bytes, and so in UTF-16 units. Nobody pastes a token into a longer one. */
export const longestText = 5_000_000;

/** How many of the first bytes are searched for a zero byte, as in git. */
const headBytes = 8000;

/** Does not follow a link, and does not wait for a pipe. Windows has neither flag: undefined counts as 0. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads a file in a folder without following links: the target of a link is outside the folder, or is searched at
 * its own path.
 */
export async function fileText(path: string, folder: string): Promise<FileText> {
  try {
    // guard S71: No link is followed.
    if (!isWithin(await realpath(folder), await realpath(dirname(path)))) return { kind: 'none' };
    const file = await open(path, flags);
    try {
      return await readText(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    return { kind: isNone(error) ? 'none' : 'unreadable' };
  }
}

/** Decodes bytes as the editor does when no encoding is set; undefined if they are not text. */
function decodedText(bytes: Uint8Array): string | undefined {
  const encoding = encodingOf(bytes);
  const isBinary = encoding === 'utf-8' && bytes.subarray(0, headBytes).includes(0);
  return isBinary ? undefined : new TextDecoder(encoding).decode(bytes);
}

async function readText(file: FileHandle): Promise<FileText> {
  const stat = await file.stat();
  if (!stat.isFile()) return { kind: 'none' };
  if (stat.size > longestText) return { kind: 'tooLarge' };
  // The file may grow meanwhile: no more is read than was measured.
  const buffer = Buffer.alloc(stat.size);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  const text = decodedText(buffer.subarray(0, length));
  return text === undefined ? { kind: 'binary' } : { kind: 'text', text };
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

/** Whether the file is gone, is a link, or is below something that is not a folder. A loop of links is ELOOP too. */
function isNone(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO'].includes(code);
}
