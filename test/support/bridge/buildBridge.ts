import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { root } from '../../../scripts/checkout.ts';

/** Builds the bridge extension, which is in this folder, into another folder. */
export async function buildBridge(folder: string): Promise<void> {
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
}
