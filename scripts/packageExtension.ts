import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { buildExtension } from './buildExtension.ts';
import { root } from './checkout.ts';

/** The file that `npm run package` writes, and that tour, UI tests and `npm start` install. */
export const vsix = join(root, 'runhook.vsix');

/** Builds dist/ and packs it. vsce lists every file on the console; only its warnings are of interest. */
export async function packageExtension(): Promise<void> {
  await buildExtension();
  await createVSIX({ cwd: root, packagePath: vsix, dependencies: false });
}
