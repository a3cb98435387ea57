import { writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { format, parseArgs } from 'node:util';
import Mocha from 'mocha';
import { root } from '../../scripts/checkout.ts';
import { runMain } from '../../scripts/runMain.mjs';
import { endServer, endSession } from '../support/session.ts';
import SpecWithReport from '../support/specWithReport.mjs';

// Runs the UI tests of the files that are named, with the packaged extension, but for those that another process has
// begun. `npm run test:ui` starts some of these. A file has a server of its own; they share the browser.
await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: {
      grep: { type: 'string' },
      /** The folder of the reports, one a file. */
      reports: { type: 'string', default: '' },
    },
    allowPositionals: true,
  });
  for (const file of positionals) {
    const report = join(values.reports, `${basename(file, '.test.ts')}.json`);
    if (await isFirst(report)) await runFile(file, report, values.grep);
  }
  await endSession();
});

/** Whether nobody has begun this file: its report is made when it begins. */
async function isFirst(report: string): Promise<boolean> {
  try {
    await writeFile(report, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Prints what it printed when it has ended: another one may be running beside it. */
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

/** Whether the words pick any test; without one there is no need for a server. */
function hasTests(suite: Mocha.Suite, grep = ''): boolean {
  let found = false;
  suite.eachTest((test) => {
    found ||= new RegExp(grep).test(test.fullTitle());
  });
  return found;
}
