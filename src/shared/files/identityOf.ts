import { statSync } from 'node:fs';

/** Identifies the file that is at the path now, by device and inode number; undefined if there is none. */
export function identityOf(path: string): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  return file && `${file.dev}:${file.ino}`;
}
