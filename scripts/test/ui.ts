import { globSync, readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { reportOf, sumOf, type TestReport } from '../../test/support/testReport.ts';
import { root, workFolder } from '../checkout.ts';
import { packageExtension } from '../build/packageExtension.ts';
import { runOwned } from '../processes.mjs';
import { runMain } from '../runMain.mjs';
import { ensureVscodeServer } from './vscodeServer.ts';

/** How many files run at once: a screen is mostly waited for. */
const lanes = 3;

// The UI tests: a browser drives the workbench of a VS Code server that has the packaged extension. Every file
// has a process, a server and a browser of its own. It is a real screen with real timers: a file that fails is
// run once more, by itself, and only what fails twice has failed. What did not fail twice is named at the end,
// to be looked into. `--built` takes runhook.vsix as it is.
await runMain(async () => {
  const { values } = parseArgs({
    options: {
      grep: { type: 'string' },
      built: { type: 'boolean', default: false },
    },
  });
  await ensureVscodeServer();
  if (!values.built) await packageExtension();
  const grep = values.grep === undefined ? [] : ['--grep', values.grep];
  const reports: Record<string, TestReport> = {};
  const run = async (file: string): Promise<void> => {
    reports[file] = await runFile(file, grep);
  };
  const left = longestFirst(globSync('test/ui/**/*.test.ts', { cwd: root }));
  const lane = async (): Promise<void> => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) await run(file);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const failed = Object.keys(reports).filter((file) => reports[file]?.failures.length);
  for (const file of failed) {
    console.log(`\n▶ once more: ${file}`);
    await run(file);
    if (reports[file]?.failures.length === 0) console.log(`Unsteady, passed at the second try: ${file}`);
  }
  const report = sumOf(Object.values(reports));
  if (process.env.RUNHOOK_TEST_REPORT)
    await writeFile(process.env.RUNHOOK_TEST_REPORT, JSON.stringify(report));
  if (report.passed === 0) console.error('No UI test ran.');
  return report.failures.length === 0 && report.passed > 0 ? 0 : 1;
});

/** Runs a file, and prints what it printed when it has ended: another one may be running beside it. */
async function runFile(file: string, grep: readonly string[]): Promise<TestReport> {
  const started = Date.now();
  const reportFile = join(workFolder, `ui-${basename(file, '.test.ts')}.json`);
  await rm(reportFile, { force: true });
  const script = join(root, 'test', 'ui', 'run.ts');
  const { code, output } = await runOwned(process.execPath, [script, ...grep, join(root, file)], {
    cwd: root,
    env: { ...process.env, RUNHOOK_TEST_REPORT: reportFile },
    graceMs: 12_000,
  });
  const seconds = Math.round((Date.now() - started) / 1000);
  const text = await readFile(reportFile, 'utf8').catch(() => undefined);
  // None of its tests has such a title.
  if (text === undefined && code === 0) return { passed: 0, failures: [] };
  console.log(`\n▶ ${file}, ${seconds} s\n${output.trimEnd()}`);
  const { passed, failures } = reportOf(text, code);
  return { passed, failures: failures.map((title) => `${title} (${file})`) };
}

/** What is begun last is to be short. A window that opens takes as long as some 3,000 characters of tests. */
function longestFirst(files: readonly string[]): string[] {
  const length = (file: string): number => {
    const text = readFileSync(join(root, file), 'utf8');
    return (
      text.length +
      3000 * (text.match(/Workbench\(|\.reload\(|\.goto\(|restarted\(|npmStart\(/g)?.length ?? 0)
    );
  };
  return [...files].sort((a, b) => length(b) - length(a));
}
