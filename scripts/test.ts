import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestReport } from '../test/support/testReport.ts';
import { root, workFolder } from './checkout.ts';
import { runOwned } from './processes.mjs';
import { runMain } from './runMain.mjs';
import { ensureVscodeServer } from './vscodeServer.ts';

interface Step {
  name: string;
  /** Run with this node, in the checkout. */
  commands: readonly (readonly string[])[];
  /** Whether it leaves a report of tests; a step without one is a gate, and counts only where it fails. */
  tests: boolean;
}

const bin = (path: string) => join('node_modules', path);

/**
 * The VS Code server is for Linux. Elsewhere the editor tests run in desktop VS Codes, which are downloaded, and
 * the UI tests, which need its web workbench, do not.
 */
const hasServer = process.platform === 'linux';

const steps: readonly Step[] = [
  { name: 'build', commands: [['esbuild.mjs']], tests: false },
  {
    name: 'typecheck',
    commands: [
      [bin('typescript/bin/tsc'), '-p', '.'],
      [bin('typescript/bin/tsc'), '-p', 'src/form'],
    ],
    tests: false,
  },
  {
    name: 'lint',
    commands: [
      [bin('eslint/bin/eslint.js'), '--max-warnings', '0', '.'],
      [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
    ],
    tests: false,
  },
  {
    name: 'unit tests',
    commands: [[bin('mocha/bin/mocha.js'), '--forbid-only', '--reporter', 'test/support/specWithReport.mjs']],
    tests: true,
  },
  ...(hasServer
    ? [
        { name: 'editor tests', commands: [['scripts/testEditor.ts']], tests: true },
        { name: 'UI tests', commands: [['scripts/testUi.ts']], tests: true },
      ]
    : [{ name: 'desktop tests', commands: [['scripts/testDesktop.ts']], tests: true }]),
];

const reportFile = join(workFolder, 'report.json');

// `npm test`: every gate. Goes on after a failure, so that one run shows all of them. The last line holds
// the counts of all tests; a gate that fails counts as one that failed.
await runMain(async () => {
  const started = Date.now();
  if (hasServer) await ensureVscodeServer();
  const total: TestReport = { passed: 0, failed: 0 };
  const lines: string[] = [];
  for (const step of steps) {
    console.log(`\n▶ ${step.name}`);
    const stepStarted = Date.now();
    const { passed, failed } = await runStep(step);
    total.passed += passed;
    total.failed += failed;
    const mark = failed === 0 ? '✔' : '✗';
    const counts = step.tests ? `${passed} passed, ${failed} failed` : '';
    lines.push(
      `${mark} ${step.name.padEnd(14)}${secondsSince(stepStarted).padStart(6)}  ${counts}`.trimEnd(),
    );
    console.log(lines.at(-1));
  }
  console.log(`\n${lines.join('\n')}\nin all ${secondsSince(started)}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
});

async function runStep(step: Step): Promise<TestReport> {
  await rm(reportFile, { force: true });
  let exitCode = 0;
  for (const command of step.commands) {
    const { code } = await runOwned(process.execPath, command, {
      cwd: root,
      env: { ...process.env, RUNHOOK_TEST_REPORT: reportFile },
      output: 'inherit',
      graceMs: 12_000,
    });
    if (code !== 0) exitCode = code;
  }
  if (!step.tests) return { passed: 0, failed: exitCode === 0 ? 0 : 1 };
  const report = await readReport();
  // A suite that ran nothing, or that ended badly without naming a test, has failed all the same.
  const isFailure = exitCode !== 0 || report.passed === 0;
  return { passed: report.passed, failed: isFailure ? Math.max(1, report.failed) : report.failed };
}

async function readReport(): Promise<TestReport> {
  try {
    return JSON.parse(await readFile(reportFile, 'utf8')) as TestReport;
  } catch {
    return { passed: 0, failed: 0 };
  }
}

function secondsSince(started: number): string {
  return `${Math.round((Date.now() - started) / 1000)} s`;
}
