import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';

/** Opening a FIFO must not wait for its other end. Windows has neither FIFOs nor this flag. */
const noWait = (fs.constants.O_NONBLOCK as number | undefined) ?? 0;

/**
 * Reads a text file of limited size.
 * @throws Error if it is missing, larger, or not a regular file: reading a FIFO or a device may never end
 */
export function readSmallFile(path: string, mostBytes: number): string {
  const file = openRegularFile(path, fs.constants.O_RDONLY);
  try {
    if (fs.fstatSync(file).size > mostBytes) throw new Error(`EFBIG: ${path} is too large`);
    return fs.readFileSync(file, 'utf8');
  } finally {
    fs.closeSync(file);
  }
}

/** Opens a file. @throws Error if what is there is not a regular file */
export function openRegularFile(path: string, flags: number, mode = 0o600): number {
  const file = fs.openSync(path, flags | noWait, mode);
  // guard S43: Only regular files are opened.
  if (fs.fstatSync(file).isFile()) return file;
  fs.closeSync(file);
  throw new Error(`EINVAL: ${path} is not a regular file`);
}

/**
 * Makes room for a file: renames whatever lies at its path and is not one, such as a folder, a FIFO or a device.
 * @throws Error of the system
 */
export function clearTheWay(path: string): void {
  if (isInTheWay(path)) fs.renameSync(path, `${path}.not-a-file-${randomBytes(4).toString('hex')}`);
}

function isInTheWay(path: string): boolean {
  try {
    const found = fs.statSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isFile();
  } catch (error) {
    // A link that leads to itself.
    if (error instanceof Error && 'code' in error && error.code === 'ELOOP') return true;
    throw error;
  }
}
