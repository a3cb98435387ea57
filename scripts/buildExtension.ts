import { root } from './checkout.ts';
import { runOwned } from './processes.mjs';
import { ScriptError } from './scriptError.mjs';

/** Builds dist/. @param dev keeps names and source maps */
export async function buildExtension({ dev = false } = {}): Promise<void> {
  const args = ['esbuild.mjs', ...(dev ? ['--dev'] : [])];
  const { code } = await runOwned(process.execPath, args, { cwd: root, output: 'inherit' });
  if (code !== 0) throw new ScriptError('The build failed.');
}
