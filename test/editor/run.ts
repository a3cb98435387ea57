import { globSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import * as vscode from 'vscode';
import { reportLinePrefix } from '../support/report/testReport.ts';

/**
 * Runs all editor tests inside the extension host. VS Code calls it (`extensionTestsPath`), and exits with an error if it
 * rejects, which it does if a test fails. The report is written to the file that `RUNHOOK_TEST_REPORT` names.
 */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const { default: SpecWithReport } = await import('../support/report/specWithReport.mjs');
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 180_000,
    reporter: SpecWithReport,
    forbidOnly: process.env.CI !== undefined,
    forbidPending: true,
    color: false,
  });
  process.setSourceMapsEnabled(true);
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => {
    console.log(format(...args).replaceAll(/^/gm, reportLinePrefix));
  };
  Mocha.reporters.Base.consoleLog(`VS Code ${vscode.version}, Node ${process.versions.node}`);
  if (process.env.RUNHOOK_TEST_GREP) mocha.grep(process.env.RUNHOOK_TEST_GREP);
  for (const file of globSync('**/*.test.js', { cwd: __dirname }).sort())
    mocha.addFile(join(__dirname, file));
  await mocha.loadFilesAsync();
  const failed = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failed > 0) throw new Error(`${failed} of the editor tests failed.`);
}
