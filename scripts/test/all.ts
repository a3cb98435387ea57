import { readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { reportOf, sumOf, type TestReport } from '../../test/support/testReport.ts';
import { vsix } from '../build/package.ts';
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
/** One more than there are cores: many tests wait for what they have started. */
const jobs = Math.min(4, availableParallelism() + 1).toString();

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
  commands: [[bin('oxlint/bin/oxlint')], [bin('oxfmt/bin/oxfmt'), '--check', '.']],
  tests: false,
};
const editorTests: Step = hasServer
  ? { name: 'editor tests', commands: [['scripts/test/editor.ts', '--built']], tests: true }
  : { name: 'desktop tests', commands: [['scripts/test/desktop.ts']], tests: true };
const mocha = [bin('mocha/bin/mocha.js'), '--parallel', '--jobs', jobs];
const reporter = ['--reporter', 'test/support/specWithReport.mjs'];
const unitTests: Step = {
  name: 'unit tests',
  commands: [[...mocha, ...reporter, 'test/unit/**/*.test.ts']],
  tests: true,
};
const uiTests: Step = { name: 'UI tests', commands: [['scripts/test/ui.ts', '--built']], tests: true };

/**
 * The steps in the order in which they are shown, each with those that it waits for: two cores have enough to do at any
 * time, and no more than that.
 */
const steps: readonly (readonly [step: Step, waitsFor: readonly Step[]])[] = hasServer
  ? [
      [build, []],
      [runtimes, []],
      [server, []],
      [unitTests, [build, runtimes]],
      [editorTests, [build, server]],
      [uiTests, [unitTests, server]],
      // Takes the processor that nothing else wants, from the first to the last.
      [lint, []],
    ]
  : [
      [build, []],
      [runtimes, []],
      [unitTests, [build, runtimes]],
      // The unit tests build dist/ anew.
      [editorTests, [unitTests]],
      [lint, []],
    ];

// `npm test`: every gate. Goes on after a failure, so that one run shows all of them. The last line holds
// the counts of all tests; a gate that fails counts as one that failed.
await runMain(async () => {
  const started = Date.now();
  const running = new Map<Step, Running>();
  for (const [step, waitsFor] of steps) {
    const before = waitsFor.flatMap((one) => running.get(one)?.result ?? []);
    running.set(step, startStep(step, before));
  }
  const results: Result[] = [];
  for (const { step, result, show } of running.values()) {
    console.log(`\n▶ ${step.name}`);
    show();
    results.push(await result);
    console.log(results.at(-1)?.line);
  }
  console.log(`\n${results.map(({ line }) => line).join('\n')}\nin all ${secondsSince(started)}\n`);
  const { passed, failures } = sumOf(results);
  for (const title of failures) console.log(`✗ ${title}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  return failures.length === 0 ? 0 : 1;
});

interface Running {
  step: Step;
  result: Promise<Result>;
  /** Prints what it has printed so far, and from then on what it prints. */
  show: () => void;
}

function startStep(step: Step, before: readonly Promise<Result>[]): Running {
  let kept = '';
  let print = (text: string): void => void (kept += text);
  return {
    step,
    result: Promise.all(before).then(() => runStep(step, (text) => print(text))),
    show: () => {
      process.stdout.write(kept);
      print = (text) => void process.stdout.write(text);
    },
  };
}

async function runStep(step: Step, print: (text: string) => void): Promise<Result> {
  const started = Date.now();
  const reportFile = join(workFolder, `report of ${step.name}.json`);
  await rm(reportFile, { force: true });
  const badly: string[] = [];
  for (const command of step.commands) {
    const ran = await runOwned(process.execPath, command, {
      cwd: root,
      env: { ...environment, ...process.env, RUNHOOK_TEST_REPORT: reportFile },
      print,
      graceMs: 12_000,
      background: step === lint,
    });
    if (ran.code !== 0) badly.push(command.join(' '));
  }
  const { passed, failures } = step.tests
    ? reportOf(await readFile(reportFile, 'utf8').catch(() => undefined), badly.length)
    : { passed: 0, failures: badly };
  const mark = failures.length === 0 ? '✔' : '✗';
  const counts = step.tests ? `${passed} passed, ${failures.length} failed` : '';
  const line = `${mark} ${step.name.padEnd(14)}${secondsSince(started).padStart(6)}  ${counts}`.trimEnd();
  const titles = failures.map((failure) => `${step.name}: ${failure}`);
  return { passed, failures: titles, line };
}

function secondsSince(started: number): string {
  return `${Math.round((Date.now() - started) / 1000)} s`;
}
