import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { sumOf, type TestReport } from '../../test/support/testReport.ts';
import { buildExtension } from '../build/package.ts';
import { bundleEditorTests, desktopEditors, editorTestsPath, programOf } from './editorTests.ts';
import { root, workFolder } from '../checkout.ts';
import { runMain } from '../runMain.mjs';

// The editor tests in desktop VS Codes: `npm run test:desktop` downloads the oldest that Runhook runs in and the
// latest; `-- --version 1.110.0` names another, `-- --vscode <path of its program>` one that is installed.
await runMain(async () => {
  const editors = desktopEditors(process.argv.slice(2));
  await mkdir(workFolder, { recursive: true });
  const download = (version: string) => downloadAndUnzipVSCode({ version, cachePath: workFolder });
  const reports: TestReport[] = [];
  for (const editor of editors) {
    const program = await programOf(editor, download);
    if (reports.length === 0) await build();
    console.log(`▶ ${editor.kind === 'version' ? `VS Code ${editor.version}` : program}`);
    const report = await testIn(program);
    console.log(`${report.passed} editor tests passed, ${report.failures.length} failed`);
    reports.push(report);
  }
  const total = sumOf(reports);
  if (process.env.RUNHOOK_TEST_REPORT) {
    await writeFile(process.env.RUNHOOK_TEST_REPORT, JSON.stringify(total));
  }
  return total.failures.length === 0 ? 0 : 1;
});

async function build(): Promise<void> {
  await buildExtension();
  await bundleEditorTests();
}

/** Runs them in one editor, with data of its own. */
async function testIn(program: string): Promise<TestReport> {
  const data = await mkdtemp(join(workFolder, 'data-'));
  const report = join(data, 'report.json');
  try {
    // It rejects where a test fails, and the report says which; without a report it has not run at all.
    const ended = await runTests({
      vscodeExecutablePath: program,
      extensionDevelopmentPath: root,
      extensionTestsPath: editorTestsPath,
      extensionTestsEnv: { RUNHOOK_TEST_REPORT: report },
      launchArgs: [
        data,
        '--disable-extensions',
        '--disable-workspace-trust',
        '--user-data-dir',
        join(data, 'user'),
      ],
    }).catch((error: unknown) => error);
    return await readFile(report, 'utf8').then(
      (text) => JSON.parse(text) as TestReport,
      () => Promise.reject(new Error('The tests did not run.', { cause: ended })),
    );
  } finally {
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  }
}
