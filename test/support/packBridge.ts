import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { root } from '../../scripts/checkout.ts';
import { packFolder } from './packFolder.ts';

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
  return packFolder(folder);
}
