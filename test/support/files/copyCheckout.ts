import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root, workFolder } from '../../../scripts/checkout.ts';

/** Build results and large folders are not copied. */
const excluded = ['.git', '.vscode-test', 'node_modules', 'dist', 'out', 'runhook.vsix'];

/** Linked, because it is large and only read. `vsce` does not follow links to folders. */
const server = join('.vscode-test', 'server');

/** Copies the checkout, so that a test can build without changing what other tests use. The caller deletes the copy. */
export async function copyCheckout(): Promise<string> {
  const copy = await mkdtemp(join(workFolder, 'data-checkout-'));
  for (const name of await readdir(root)) {
    if (!excluded.includes(name)) await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await mkdir(join(copy, '.vscode-test'));
  await symlink(join(root, server), join(copy, server), 'dir');
  // Hard links: with a symbolic link esbuild would report the paths of the original folder.
  await promisify(execFile)('cp', ['-al', join(root, 'node_modules'), join(copy, 'node_modules')]);
  return copy;
}
