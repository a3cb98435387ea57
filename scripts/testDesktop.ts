import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { buildExtension } from './buildExtension.ts';
import { bundleEditorTests, editorTestsPath } from './bundleEditorTests.ts';
import { root, workFolder } from './checkout.ts';
import { runMain } from './runMain.mjs';
import { ScriptError } from './scriptError.mjs';

// The editor tests in a desktop VS Code: one that is downloaded, or `-- --vscode <path of its program>`.
await runMain(async () => {
  const { values } = parseArgs({ options: { vscode: { type: 'string' } } });
  const vscodeExecutablePath = values.vscode ?? (await download());
  await buildExtension();
  await bundleEditorTests();
  const data = await mkdtemp(join(workFolder, 'data-'));
  return runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: root,
    extensionTestsPath: editorTestsPath,
    launchArgs: [
      data,
      '--disable-extensions',
      '--disable-workspace-trust',
      '--user-data-dir',
      join(data, 'user'),
    ],
  });
});

async function download(): Promise<string> {
  try {
    return await downloadAndUnzipVSCode({ cachePath: workFolder });
  } catch (error) {
    throw new ScriptError(
      `VS Code could not be downloaded (${String(error)}).\nName one that is installed: ` +
        'npm run test:desktop -- --vscode /path/to/code\nThe same tests run without a download: npm run test:editor',
    );
  }
}
