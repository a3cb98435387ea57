import { globSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type FileReports, sumOf } from '../test/support/testReport.ts';
import { root, workFolder } from './checkout.ts';
import { packageExtension } from './packageExtension.ts';
import { runOwned } from './processes.mjs';
import { runMain } from './runMain.mjs';
import { ScriptError } from './scriptError.mjs';
import { ensureVscodeServer } from './vscodeServer.ts';

// The UI tests: a browser drives the workbench of a VS Code server that has the packaged extension. It is a
// real screen with real timers: a file that fails is run once more, in a server of its own, and only what
// fails twice has failed. What did not fail twice is named at the end, to be looked into.
await runMain(async () => {
  const { values } = parseArgs({ options: { grep: { type: 'string' } } });
  await ensureVscodeServer();
  await packageExtension();
  const all = globSync('test/ui/**/*.test.ts', { cwd: root }).sort();
  const grep = values.grep === undefined ? [] : ['--grep', values.grep];
  const files = await run(
    all.map((file) => join(root, file)),
    grep,
  );
  const again = failedOf(files);
  if (again.length > 0) {
    const names = again.map((file) => relative(root, file)).join(', ');
    console.log(`\n▶ once more, in a server of their own: ${names}`);
    Object.assign(files, await run(again, grep));
    const failed = new Set(failedOf(files));
    for (const file of again.filter((one) => !failed.has(one))) {
      console.log(`Unsteady, passed at the second try: ${relative(root, file)}`);
    }
  }
  const report = sumOf(files);
  if (process.env.RUNHOOK_TEST_REPORT)
    await writeFile(process.env.RUNHOOK_TEST_REPORT, JSON.stringify(report));
  if (report.passed === 0) console.error('No UI test ran.');
  return report.failed === 0 && report.passed > 0 ? 0 : 1;
});

function failedOf(files: FileReports): string[] {
  return Object.keys(files).filter((file) => (files[file]?.failed ?? 0) > 0);
}

/** Runs these files in a server of their own. */
async function run(files: readonly string[], grep: readonly string[]): Promise<FileReports> {
  const report = join(workFolder, 'ui-files.json');
  await rm(report, { force: true });
  const script = join(root, 'scripts', 'runUiFiles.ts');
  await runOwned(process.execPath, [script, ...grep, '--report', report, ...files], {
    cwd: root,
    output: 'inherit',
    graceMs: 12_000,
  });
  try {
    return JSON.parse(await readFile(report, 'utf8')) as FileReports;
  } catch (cause) {
    throw new ScriptError('The UI tests ended before they were done; what they printed stands above.', {
      cause,
    });
  }
}
