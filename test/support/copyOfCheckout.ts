import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root, workFolder } from '../../scripts/checkout.ts';

/** Not copied: what is built, and what is large. */
const left = ['.git', '.vscode-test', 'node_modules', 'dist', 'out', 'runhook.vsix'];

/** Large, and only read. What packs the copy goes through the files of a folder, and not of a link to one. */
const server = join('.vscode-test', 'server');

/** A checkout in which a test builds, while others use what the real one has built. Whoever asks for it deletes it. */
export async function copyOfCheckout(): Promise<string> {
  const copy = await mkdtemp(join(workFolder, 'data-checkout-'));
  for (const name of await readdir(root)) {
    if (!left.includes(name)) await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await mkdir(join(copy, '.vscode-test'));
  await symlink(join(root, server), join(copy, server), 'dir');
  // The files of the copy are those of the checkout; esbuild names them by where they are.
  await promisify(execFile)('cp', ['-al', join(root, 'node_modules'), join(copy, 'node_modules')]);
  return copy;
}
