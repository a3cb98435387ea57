import { cp, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root } from '../checkout.ts';

/** What a copy makes by itself, or shares. */
const left = new Set(['.git', '.vscode-test', 'dist', 'node_modules', 'out', 'runhook.vsix']);

/** A copy of the sources, in which every test can run; returns its folder. */
export async function copyOfCheckout(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'runhook-guards-'));
  await cp(root, copy, { recursive: true, filter: (from) => !left.has(relative(root, from)) });
  await mkdir(join(copy, '.vscode-test'));
  for (const shared of ['node_modules', '.vscode-test/server', '.vscode-test/chromium']) {
    await symlink(join(root, shared), join(copy, shared));
  }
  return copy;
}
