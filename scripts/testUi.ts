import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import SpecWithReport from '../test/support/specWithReport.mjs';
import { startSession } from '../test/support/session.ts';
import type { TestReport } from '../test/support/testReport.ts';
import { root } from './checkout.ts';
import { packageExtension, vsix } from './packageExtension.ts';
import { runMain } from './runMain.mjs';
import { ensureVscodeServer } from './vscodeServer.ts';

// The UI tests: a browser drives the workbench of a VS Code server that has the packaged extension.
await runMain(async () => {
  const { values } = parseArgs({ options: { grep: { type: 'string' } } });
  await ensureVscodeServer();
  await packageExtension();
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 60_000,
    slow: 10_000,
    forbidPending: true,
    reporter: SpecWithReport,
  });
  if (values.grep) mocha.grep(values.grep);
  for (const file of globSync('test/ui/**/*.test.ts', { cwd: root }).sort()) mocha.addFile(join(root, file));
  await mocha.loadFilesAsync();
  const session = await startSession(vsix);
  const { passed, failed } = await new Promise<TestReport>((resolve) => {
    const runner = mocha.run((failures) => resolve({ passed: runner.stats?.passes ?? 0, failed: failures }));
  });
  await session.dispose();
  if (passed === 0) console.error('No UI test ran.');
  return failed === 0 && passed > 0 ? 0 : 1;
});
