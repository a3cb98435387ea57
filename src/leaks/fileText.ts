import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';

/** What a file holds, as far as tokens are looked for in it. */
export type FileText =
  | { kind: 'text'; text: string }
  | { kind: 'tooLarge' | 'binary' | 'unreadable' }
  /** It is gone, or is no file: nothing that anybody would miss. */
  | { kind: 'none' };

/** Longer files are no place where somebody pasted a token; in bytes, and so in UTF-16 units at most. */
export const longestText = 5_000_000;

/** Where git, too, looks for a zero byte. */
const headBytes = 8000;

/** Neither through a link, nor waiting for what a pipe would give. Windows has neither: undefined counts as 0. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads a file that lies in a folder, without following links: what a link leads to is elsewhere, or is looked
 * at there.
 */
export async function fileText(path: string, folder: string): Promise<FileText> {
  try {
    // guard: no link is followed
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

/** The text of bytes, as the editor reads it where no encoding is set; undefined for what is no text. */
export function decodedText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return bytes.subarray(0, headBytes).includes(0) ? undefined : new TextDecoder().decode(bytes);
}

async function readText(file: FileHandle): Promise<FileText> {
  const stat = await file.stat();
  if (!stat.isFile()) return { kind: 'none' };
  if (stat.size > longestText) return { kind: 'tooLarge' };
  // It may grow meanwhile: no more is read than was measured.
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

/** Gone, a link, or below what is no folder. A loop of links is ELOOP too. */
function isNone(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO'].includes(code);
}
