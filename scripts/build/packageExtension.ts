import { join } from 'node:path';
import { root } from '../checkout.ts';
import { runOwned } from '../processes.mjs';
import { ScriptError } from '../runMain.mjs';

/** The file that `npm run package` writes, and that tour, UI tests and `npm start` install. */
export const vsix = join(root, 'runhook.vsix');

/** Builds dist/. @param dev keeps names and source maps */
export async function buildExtension({ dev = false } = {}): Promise<void> {
  const args = ['esbuild.mjs', ...(dev ? ['--dev'] : [])];
  const { code } = await runOwned(process.execPath, args, { cwd: root, output: 'inherit' });
  if (code !== 0) throw new ScriptError('The build failed.');
}

/**
 * Builds dist/ and packs it. A warning of vsce is a failure: with a terminal it would ask. So is a file in
 * which its scanner finds a secret.
 * @param out the file to write
 * @returns what vsce said: the files that are in it
 */
export async function packageExtension(out = vsix): Promise<string> {
  await buildExtension();
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  // What ships is bundled: there are no dependencies to pack.
  const args = [vsce, 'package', '--no-dependencies', '--out', out];
  const { code, output } = await runOwned(process.execPath, args, { cwd: root });
  if (code !== 0 || /warn|error|secret/i.test(output.replaceAll(out, ''))) {
    throw new ScriptError(`${output.trim()}\n\n${out} was not packed.`);
  }
  return output.trim();
}
