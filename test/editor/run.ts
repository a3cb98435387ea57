import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import * as vscode from 'vscode';
import { reportLineMark, type TestReport } from '../support/testReport.ts';

/**
 * Runs every editor test inside the extension host; VS Code calls this (`extensionTestsPath`). Rejects
 * where a test failed or none ran, which becomes the exit code. The report goes to the file that
 * `RUNHOOK_TEST_REPORT` names.
 */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 20_000,
    forbidOnly: process.env.CI !== undefined,
    forbidPending: true,
    color: false,
  });
  process.setSourceMapsEnabled(true);
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => {
    console.log(format(...args).replaceAll(/^/gm, reportLineMark));
  };
  Mocha.reporters.Base.consoleLog(`VS Code ${vscode.version}, Node ${process.versions.node}`);
  if (process.env.RUNHOOK_TEST_GREP) mocha.grep(process.env.RUNHOOK_TEST_GREP);
  for (const file of globSync('**/*.test.js', { cwd: __dirname }).sort())
    mocha.addFile(join(__dirname, file));
  await mocha.loadFilesAsync();
  const report = await new Promise<TestReport>((resolve) => {
    const runner = mocha.run((failed) => resolve({ passed: runner.stats?.passes ?? 0, failed }));
  });
  if (process.env.RUNHOOK_TEST_REPORT) {
    writeFileSync(process.env.RUNHOOK_TEST_REPORT, JSON.stringify(report));
  }
  if (report.failed > 0) throw new Error(`${report.failed} of the editor tests failed.`);
  if (report.passed === 0) throw new Error('No editor test ran.');
}
