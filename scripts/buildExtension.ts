import { root } from './checkout.ts';
import { runOwned, ScriptError } from './processes.mjs';

/** Builds dist/. */
export async function buildExtension(): Promise<void> {
  const { code } = await runOwned(process.execPath, ['esbuild.mjs'], { cwd: root, output: 'inherit' });
  if (code !== 0) throw new ScriptError('The build failed.');
}
