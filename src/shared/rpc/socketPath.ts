import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** The longest path that a socket can have, in bytes: 104 on macOS, with the byte that ends it. */
const longestPath = 103;
/** Windows has named pipes instead of sockets; they are not files. */
const hasPipes = process.platform === 'win32';

/**
 * Returns an unused path for the socket of a program, in a new folder that only the user can access. The control file
 * tells windows the path. Sockets left by earlier programs of the same folder are removed.
 * @param folder the program's folder, whose lock has to be held
 * @param lock identifies the lock: containers may share a temporary folder, and have folders of the same path
 * @throws Error if no folder for it can be had
 */
export function newSocketPath(folder: string, lock = ''): string {
  const hash = createHash('sha256').update(`${folder}\n${lock}`).digest('hex').slice(0, 12);
  const prefix = `runhook-${hash}-`;
  if (hasPipes) return `\\\\.\\pipe\\${prefix}${randomBytes(4).toString('hex')}`;
  let failure: unknown = new Error('ENAMETOOLONG: no path for the socket is short enough');
  // XDG_RUNTIME_DIR may name a folder that is not there, in a container or after `su`.
  for (const parent of [process.env['XDG_RUNTIME_DIR'] ?? '', tmpdir(), '/tmp']) {
    if (!isAbsolute(parent) || Buffer.byteLength(join(parent, `${prefix}XXXXXX`, 'socket')) > longestPath)
      continue;
    try {
      removeLeftovers(parent, prefix);
      // guard S27: The socket lies in a new folder that only the user can open.
      return join(fs.mkdtempSync(join(parent, prefix)), 'socket');
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Removes a socket and its folder, as far as that is possible. */
export function removeSocket(path: string): void {
  if (hasPipes || path === '') return;
  try {
    fs.rmSync(path, { force: true });
    fs.rmdirSync(dirname(path));
  } catch {
    // The next program of the same folder tries again.
  }
}

function removeLeftovers(parent: string, prefix: string): void {
  for (const name of fs.readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const leftover = join(parent, name);
    // Anybody may have made a folder of that name in /tmp, or a link: then it stays.
    if (fs.lstatSync(leftover, { throwIfNoEntry: false })?.isDirectory())
      removeSocket(join(leftover, 'socket'));
  }
}
