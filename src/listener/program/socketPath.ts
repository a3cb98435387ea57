import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A name for the socket of a program, which nobody listens on. It is short, because a socket's path has 104 bytes,
 * and lies in a folder that is the user's alone. What an earlier program of the same folder has left is removed.
 * @param folder that of the program, whose lock has to be held
 * @throws Error where that folder is somebody else's
 */
export function newSocketPath(folder: string): string {
  const mine = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const name = `${mine}-${randomBytes(4).toString('hex')}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\runhook-${name}`;
  const own = socketFolder();
  for (const left of fs.readdirSync(own)) {
    if (left.startsWith(`${mine}-`)) fs.rmSync(join(own, left), { force: true });
  }
  return join(own, name);
}

function socketFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const folder = join(process.env['XDG_RUNTIME_DIR'] ?? tmpdir(), `runhook-${uid.toString()}`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Anybody may have made a folder of that name in /tmp: the check is of what is there, a link not followed.
  const found = fs.lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw Object.assign(new Error(`EACCES: ${folder} is not a folder of this user alone`), {
      code: 'EACCES',
    });
  }
  return folder;
}
