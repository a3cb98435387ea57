import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { endSession } from '../support/session.ts';
import SpecWithReport from '../support/specWithReport.mjs';
import { runMain } from '../../scripts/runMain.mjs';

// Runs the UI tests of the files that are named, with the packaged extension. `npm run test:ui` calls this.
await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: { grep: { type: 'string' } },
    allowPositionals: true,
  });
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 180_000,
    slow: 10_000,
    forbidPending: true,
    reporter: SpecWithReport,
  });
  if (values.grep) mocha.grep(values.grep);
  for (const file of positionals) mocha.addFile(file);
  await mocha.loadFilesAsync();
  if (!hasTests(mocha.suite, values.grep)) return 0;
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  await endSession();
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
