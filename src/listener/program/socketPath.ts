import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns an unused path for the socket of a program. It is short, because a socket path is limited to 104 bytes, and
 * lies in a folder that only the user can access. Sockets left by earlier programs of the same folder are removed.
 * @param folder the program's folder, whose lock has to be held
 * @throws Error if the socket folder is not the user's alone
 */
export function newSocketPath(folder: string): string {
  const prefix = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const name = `${prefix}-${randomBytes(4).toString('hex')}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\runhook-${name}`;
  const sockets = socketFolder();
  for (const leftover of fs.readdirSync(sockets)) {
    if (leftover.startsWith(`${prefix}-`)) fs.rmSync(join(sockets, leftover), { force: true });
  }
  return join(sockets, name);
}

function socketFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const folder = join(process.env['XDG_RUNTIME_DIR'] ?? tmpdir(), `runhook-${uid.toString()}`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Anybody may have made a folder of that name in /tmp, so check what is there, without following a link.
  const found = fs.lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw Object.assign(new Error(`EACCES: ${folder} is not a folder of this user alone`), {
      code: 'EACCES',
    });
  }
  return folder;
}
