import { buildExtension } from './buildExtension.ts';
import { bundleEditorTests } from './bundleEditorTests.ts';
import { runMain } from './runMain.mjs';

// What the launch configurations of .vscode run first: dist/ with names and maps, and the editor tests in out/.
await runMain(async () => {
  await buildExtension({ dev: true });
  await bundleEditorTests();
});
