import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { startSession } from '../test/support/session.ts';
import type { FileReports } from '../test/support/testReport.ts';
import { vsix } from './packageExtension.ts';
import { runMain } from './runMain.mjs';

// Runs the UI tests of the files that are named, with the packaged extension, and leaves `FileReports` in the
// file that `--report` names. `npm run test:ui` calls this.
await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: { grep: { type: 'string' }, report: { type: 'string', default: '' } },
    allowPositionals: true,
  });
  const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, slow: 10_000, forbidPending: true });
  if (values.grep) mocha.grep(values.grep);
  for (const file of positionals) mocha.addFile(file);
  await mocha.loadFilesAsync();
  const reports: FileReports = {};
  if (!hasTests(mocha.suite, values.grep)) {
    writeFileSync(values.report, JSON.stringify(reports));
    return 0;
  }
  const session = await startSession(vsix);
  const count = (test: Mocha.Runnable, result: 'passed' | 'failed'): void => {
    (reports[test.file ?? ''] ??= { passed: 0, failed: 0 })[result]++;
  };
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => count(test, 'passed'));
    runner.on('fail', (test) => count(test, 'failed'));
  });
  await session.dispose();
  writeFileSync(values.report, JSON.stringify(reports));
  return failures === 0 ? 0 : 1;
});

/** Whether the words pick any test; without one there is no need for a server. */
function hasTests(suite: Mocha.Suite, grep = ''): boolean {
  let found = false;
  suite.eachTest((test) => {
    found ||= new RegExp(grep).test(test.fullTitle());
  });
  return found;
}
