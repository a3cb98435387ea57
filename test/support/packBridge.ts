import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { root } from '../../scripts/checkout.ts';
import { runOwned } from '../../scripts/processes.mjs';

/** Builds the extension of test/support/bridge and packs it. @param folder an empty one @returns the path of its VSIX */
export async function packBridge(folder: string): Promise<string> {
  const source = join(root, 'test/support/bridge');
  await cp(join(source, 'package.json'), join(folder, 'package.json'));
  await esbuild.build({
    entryPoints: [join(source, 'extension.ts')],
    outfile: join(folder, 'extension.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.19',
    external: ['vscode'],
    logLevel: 'warning',
  });
  const vsix = join(folder, 'bridge.vsix');
  const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
  const args = [vsce, 'package', '--no-dependencies', '--skip-license', '--allow-missing-repository'];
  const { code, output } = await runOwned(process.execPath, [...args, '--out', vsix], { cwd: folder });
  if (code !== 0) throw new Error(`The bridge was not packed: ${output}`);
  return vsix;
}
