import { readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { reportOf, sumOf, type TestReport } from '../../test/support/testReport.ts';
import { vsix } from '../build/packageExtension.ts';
import { root, workFolder } from '../checkout.ts';
import { runOwned } from '../processes.mjs';
import { runMain } from '../runMain.mjs';

interface Step {
  name: string;
  /** Run with this node, in the checkout. */
  commands: readonly (readonly string[])[];
  /** Whether it leaves a report of tests; a step without one is a gate, and counts only where it fails. */
  tests: boolean;
}

interface Result extends TestReport {
  name: string;
  /** What it printed, where that is not on the screen yet. */
  output: string;
  /** Its line of the summary. */
  line: string;
}

/**
 * The VS Code server is for Linux. Elsewhere the editor tests run in desktop VS Codes, which are downloaded, and
 * the UI tests, which need its web workbench, do not.
 */
const hasServer = process.platform === 'linux';

const environment = {
  RUNHOOK_SEED: '20261122',
  // The same programs are started some hundred times.
  NODE_COMPILE_CACHE: join(workFolder, 'compile-cache'),
  // Packed by the first step, for all.
  ...(hasServer && { RUNHOOK_VSIX: vsix }),
};
const bin = (path: string) => join('node_modules', path);
const cores = Math.min(4, availableParallelism()).toString();

const server: Step = { name: 'server', commands: [['scripts/test/vscodeServer.ts']], tests: false };
const build: Step = {
  name: 'build',
  commands: [hasServer ? ['scripts/build/package.ts', '--extension'] : ['esbuild.mjs']],
  tests: false,
};
const runtimes: Step = {
  name: 'runtimes',
  commands: [['scripts/test/receiverRuntimes.ts']],
  tests: false,
};
const lint: Step = {
  name: 'types and lint',
  commands: [
    [bin('oxlint/bin/oxlint')],
    [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  ],
  tests: false,
};
const editorTests: Step = hasServer
  ? { name: 'editor tests', commands: [['scripts/test/editor.ts', '--built']], tests: true }
  : { name: 'desktop tests', commands: [['scripts/test/desktop.ts']], tests: true };
const mocha = [bin('mocha/bin/mocha.js'), '--parallel', '--jobs', cores];
const reporter = ['--reporter', 'test/support/specWithReport.mjs'];
const unitTests: Step = {
  name: 'unit tests',
  commands: [[...mocha, ...reporter, 'test/unit/**/*.test.ts']],
  tests: true,
};
const uiTests: Step = { name: 'UI tests', commands: [['scripts/test/ui.ts', '--built']], tests: true };

/**
 * One after the other; what stands in one line runs at once. Unit tests want the processor while the server is fetched,
 * which wants the network. They build dist/ anew.
 */
const stages: readonly (readonly Step[])[] = hasServer
  ? [
      [build, runtimes],
      [unitTests, server],
      [uiTests, editorTests],
    ]
  : [[build, runtimes], [unitTests], [editorTests]];

// `npm test`: every gate. Goes on after a failure, so that one run shows all of them. The last line holds
// the counts of all tests; a gate that fails counts as one that failed.
await runMain(async () => {
  const started = Date.now();
  const results: Result[] = [];
  // Takes the processor that nothing else wants, from the first to the last.
  const linting = runStep(lint, 'pipe');
  for (const stage of stages) {
    console.log(`\n▶ ${stage.map(({ name }) => name).join(', meanwhile ')}`);
    // What the others print waits for its end, so that it does not mix with what the first does.
    const ended = await Promise.all(
      stage.map((step, index) => runStep(step, index === 0 ? 'inherit' : 'pipe')),
    );
    for (const result of ended) show(result);
    results.push(...ended);
  }
  const linted = await linting;
  show(linted);
  results.push(linted);
  console.log(`\n${results.map(({ line }) => line).join('\n')}\nin all ${secondsSince(started)}\n`);
  const { passed, failures } = sumOf(results);
  for (const title of failures) console.log(`✗ ${title}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  return failures.length === 0 ? 0 : 1;
});

function show({ name, output, line }: Result): void {
  if (output !== '') console.log(`\n▶ ${name}\n${output}`);
  console.log(line);
}

async function runStep(step: Step, output: 'inherit' | 'pipe'): Promise<Result> {
  const started = Date.now();
  const reportFile = join(workFolder, `report of ${step.name}.json`);
  await rm(reportFile, { force: true });
  const badly: string[] = [];
  let printed = '';
  for (const command of step.commands) {
    const ran = await runOwned(process.execPath, command, {
      cwd: root,
      env: { ...environment, ...process.env, RUNHOOK_TEST_REPORT: reportFile },
      output,
      graceMs: 12_000,
      background: step === lint,
    });
    if (ran.code !== 0) badly.push(command.join(' '));
    printed += ran.output;
  }
  const { passed, failures } = step.tests
    ? reportOf(await readFile(reportFile, 'utf8').catch(() => undefined), badly.length)
    : { passed: 0, failures: badly };
  const mark = failures.length === 0 ? '✔' : '✗';
  const counts = step.tests ? `${passed} passed, ${failures.length} failed` : '';
  const line = `${mark} ${step.name.padEnd(14)}${secondsSince(started).padStart(6)}  ${counts}`.trimEnd();
  const titles = failures.map((failure) => `${step.name}: ${failure}`);
  return { name: step.name, passed, failures: titles, output: printed.trimEnd(), line };
}

function secondsSince(started: number): string {
  return `${Math.round((Date.now() - started) / 1000)} s`;
}
