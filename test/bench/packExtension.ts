import { join } from 'node:path';
import { root } from '../../scripts/checkout.ts';
import { runOwned } from '../../scripts/processes.mjs';

/** Packs the test extension in a folder. @returns the path of the VSIX, in the same folder */
export async function packExtension(folder: string): Promise<string> {
  const vsix = join(folder, 'packed.vsix');
  const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
  const args = [vsce, 'package', '--no-dependencies', '--skip-license', '--allow-missing-repository'];
  const { code, output } = await runOwned(process.execPath, [...args, '--out', vsix], { cwd: folder });
  if (code !== 0) throw new Error(`${folder} was not packed: ${output}`);
  return vsix;
}
