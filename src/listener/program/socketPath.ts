import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The longest path that a socket can have, in bytes: 104 on macOS, with the byte that ends it. */
const longestPath = 103;

/**
 * Returns an unused path for the socket of a program. It is short enough for a socket, and lies in a folder that only
 * the user can access. Sockets left by earlier programs of the same folder are removed.
 * @param folder the program's folder, whose lock has to be held
 * @throws Error if no folder for it can be had
 */
export function newSocketPath(folder: string): string {
  const prefix = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const name = `${prefix}-${randomBytes(4).toString('hex')}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\runhook-${name}`;
  const sockets = socketFolder(longestPath - Buffer.byteLength(`/${name}`));
  for (const leftover of fs.readdirSync(sockets)) {
    if (leftover.startsWith(`${prefix}-`)) fs.rmSync(join(sockets, leftover), { force: true });
  }
  return join(sockets, name);
}

/**
 * The first folder that will do. XDG_RUNTIME_DIR may name one that is not there, in a container or after `su`.
 * @param longest of its path, in bytes
 */
function socketFolder(longest: number): string {
  const uid = process.getuid?.() ?? 0;
  let failure: unknown = new Error('ENAMETOOLONG: no path for the socket is short enough');
  for (const parent of [process.env['XDG_RUNTIME_DIR'], tmpdir(), '/tmp']) {
    const folder = join(parent ?? tmpdir(), `runhook-${uid.toString()}`);
    if (Buffer.byteLength(folder) > longest) continue;
    try {
      makePrivate(folder, uid);
      return folder;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function makePrivate(folder: string, uid: number): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Anybody may have made a folder of that name in /tmp, so check what is there, without following a link.
  const found = fs.lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw Object.assign(new Error(`EACCES: ${folder} is not a folder of this user alone`), {
      code: 'EACCES',
    });
  }
}
