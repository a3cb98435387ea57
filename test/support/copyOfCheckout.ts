import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root, workFolder } from '../../scripts/checkout.ts';

/** Not copied: what is built, and what is large. */
const left = ['.git', '.vscode-test', 'node_modules', 'dist', 'out', 'runhook.vsix'];

/** What is large, and only read: the files of the copy are those of the checkout. */
const linked = ['node_modules', join('.vscode-test', 'server')];

/** A checkout in which a test builds, while others use what the real one has built. Whoever asks for it deletes it. */
export async function copyOfCheckout(): Promise<string> {
  const copy = await mkdtemp(join(workFolder, 'data-checkout-'));
  for (const name of await readdir(root)) {
    if (!left.includes(name)) await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await mkdir(join(copy, '.vscode-test'));
  for (const path of linked) await promisify(execFile)('cp', ['-al', join(root, path), join(copy, path)]);
  return copy;
}
