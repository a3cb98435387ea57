import { writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { format, parseArgs } from 'node:util';
import Mocha from 'mocha';
import { root } from '../../scripts/checkout.ts';
import { runMain } from '../../scripts/runMain.mjs';
import { endServer, endSession } from '../support/workbench/session.ts';
import SpecWithReport from '../support/report/specWithReport.mjs';

// Runs UI test files with the packaged extension. `npm run test:ui` starts several of these processes with the same list
// of files; each file is run by the first process that reaches it. Each file gets its own server; the browser is shared.
await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: {
      grep: { type: 'string' },
      /** The folder for the reports, one for each file. */
      reports: { type: 'string', default: '' },
    },
    allowPositionals: true,
  });
  for (const file of positionals) {
    const report = join(values.reports, `${basename(file, '.test.ts')}.json`);
    if (await claimFile(report)) await runFile(file, report, values.grep);
  }
  await endSession();
});

/** Claims a file by creating its report. @returns false if another process has claimed it */
async function claimFile(report: string): Promise<boolean> {
  try {
    await writeFile(report, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Runs a file. Prints its output at the end, because other processes print at the same time. */
async function runFile(file: string, report: string, grep: string | undefined): Promise<void> {
  const started = Date.now();
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 180_000,
    slow: 10_000,
    forbidPending: true,
    reporter: SpecWithReport,
  });
  if (grep !== undefined) mocha.grep(grep);
  mocha.addFile(file);
  await mocha.loadFilesAsync();
  if (!hasTests(mocha.suite, grep)) return writeFile(report, '{"passed":0,"failures":[]}');
  let printed = '';
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => (printed += `${format(...args)}\n`);
  process.env.RUNHOOK_TEST_REPORT = report;
  await new Promise((resolve) => mocha.run(resolve));
  await endServer();
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`\n▶ ${relative(root, file)}, ${seconds} s\n${printed.trimEnd()}`);
}

/** Whether `grep` matches any test. If not, no server is started. */
function hasTests(suite: Mocha.Suite, grep = ''): boolean {
  let found = false;
  suite.eachTest((test) => {
    found ||= new RegExp(grep).test(test.fullTitle());
  });
  return found;
}
