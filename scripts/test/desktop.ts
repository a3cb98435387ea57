import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { mergeReports, type TestReport } from '../../test/support/report/testReport.ts';
import { buildExtension } from '../build/package.ts';
import { bundleEditorTests, desktopEditors, editorTestsPath, resolveEditorProgram } from './editorTests.ts';
import { root, workFolder } from '../checkout.ts';
import { runMain } from '../runMain.mjs';
import { ownDataFolder } from './serverProcess.ts';

// `npm run test:desktop` runs the editor tests in desktop editors. It downloads the oldest supported VS Code and the
// latest; `-- --version 1.110.0` selects another version, `-- --vscode <path of a program>` an installed one.
await runMain(async () => {
  const editors = desktopEditors(process.argv.slice(2));
  await mkdir(workFolder, { recursive: true });
  const download = (version: string) => downloadAndUnzipVSCode({ version, cachePath: workFolder });
  const reports: TestReport[] = [];
  for (const editor of editors) {
    const program = await resolveEditorProgram(editor, download);
    if (reports.length === 0) await build();
    console.log(`▶ ${editor.kind === 'version' ? `VS Code ${editor.version}` : program}`);
    const report = await testIn(program);
    console.log(`${report.passed} editor tests passed, ${report.failures.length} failed`);
    reports.push(report);
  }
  const total = mergeReports(reports);
  if (process.env.RUNHOOK_TEST_REPORT) {
    await writeFile(process.env.RUNHOOK_TEST_REPORT, JSON.stringify(total));
  }
  return total.failures.length === 0 ? 0 : 1;
});

async function build(): Promise<void> {
  await buildExtension();
  await bundleEditorTests();
}

/** Runs the editor tests in one editor, with a temporary user data folder. */
async function testIn(program: string): Promise<TestReport> {
  const data = await mkdtemp(join(workFolder, 'data-'));
  const report = join(data, 'report.json');
  try {
    // It rejects if a test fails. The report then has the failures; without a report nothing has run.
    const ended = await runTests({
      vscodeExecutablePath: program,
      extensionDevelopmentPath: root,
      extensionTestsPath: editorTestsPath,
      extensionTestsEnv: { RUNHOOK_TEST_REPORT: report, ...ownDataFolder(data) },
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
