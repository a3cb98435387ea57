import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { mergeReports, type TestReport } from '../../test/support/report/testReport.ts';
import { root, workFolder } from '../checkout.ts';
import { packageExtension } from '../build/package.ts';
import { runOwned } from '../processes.mjs';
import { runMain } from '../runMain.mjs';
import { ensureVscodeServer } from './vscodeServer.ts';

/** How many files run at once. A workbench and its test wait for each other half of the time. */
const concurrency = 3;

/** What takes about as long as 3,000 characters of test code: a window, a benchmark, a step of the tour. */
const longWork = /Workbench\(|\.reload\(|\.goto\(|restarted\(|npmStart\(|Benchmarks|Steps\b/g;

// Runs the UI tests: a browser drives the workbench of a VS Code server with the packaged extension. Every test file
// gets its own server.
// --grep <words>  runs the tests with these words in their titles
// --pictures      takes pictures to look at, into .vscode-test/screenshots
// --built         uses runhook.vsix as it is
await runMain(async () => {
  const { values } = parseArgs({
    options: {
      grep: { type: 'string' },
      pictures: { type: 'boolean', default: false },
      built: { type: 'boolean', default: false },
    },
  });
  await ensureVscodeServer();
  if (!values.built) await packageExtension();
  const grep = values.grep === undefined ? [] : ['--grep', values.grep];
  const files = longestFirst(globSync('test/ui/**/*.test.ts', { cwd: root }));
  const reports = await mkdtemp(join(workFolder, 'data-ui-reports-'));
  const args = [join(root, 'test/ui/run.ts'), ...grep, '--reports', reports];
  const startRunner = () =>
    runOwned(process.execPath, [...args, ...files.map((file) => join(root, file))], {
      cwd: root,
      env: { ...process.env, ...(values.pictures && { RUNHOOK_TEST_PICTURES: '1' }) },
      output: 'inherit',
      graceMs: 12_000,
    });
  const ended = await Promise.all(Array.from({ length: concurrency }, startRunner));
  const report = mergeReports(await Promise.all(files.map((file) => readReport(reports, file))));
  await rm(reports, { recursive: true });
  if (process.env.RUNHOOK_TEST_REPORT)
    await writeFile(process.env.RUNHOOK_TEST_REPORT, JSON.stringify(report));
  if (report.passed === 0) console.error('No UI test ran.');
  const isGood = report.failures.length === 0 && report.passed > 0;
  return isGood && ended.every(({ code }) => code === 0) ? 0 : 1;
});

async function readReport(folder: string, file: string): Promise<TestReport> {
  const text = await readFile(join(folder, `${basename(file, '.test.ts')}.json`), 'utf8').catch(() => '');
  if (text === '') return { passed: 0, failures: [`it did not come to its end (${file})`] };
  const { passed, failures } = JSON.parse(text) as TestReport;
  return { passed, failures: failures.map((failure) => `${file}: ${failure}`) };
}

/** Orders the files by their estimated duration, longest first, so that the runners finish at about the same time. */
function longestFirst(files: readonly string[]): string[] {
  const length = (file: string): number => {
    const text = readFileSync(join(root, file), 'utf8');
    return text.length + 3000 * (text.match(longWork)?.length ?? 0);
  };
  return [...files].sort((a, b) => length(b) - length(a));
}
