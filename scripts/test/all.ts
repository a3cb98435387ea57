import { readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseReport, mergeReports, type TestReport } from '../../test/support/report/testReport.ts';
import { vsix } from '../build/package.ts';
import { root, workFolder } from '../checkout.ts';
import { runOwned } from '../processes.mjs';
import { runMain } from '../runMain.mjs';

interface Step {
  name: string;
  /** Arguments for Node, run in the checkout one after the other. */
  commands: readonly (readonly string[])[];
  /** Whether it writes a test report. A step without a report counts only if it fails. */
  tests: boolean;
}

interface Result extends TestReport {
  /** Its line in the summary. */
  line: string;
}

/**
 * The VS Code server runs on Linux only. On other systems the editor tests run in downloaded desktop editors, and the
 * UI tests do not run, because they need the server's web workbench.
 */
const hasServer = process.platform === 'linux';

const testEnv = {
  RUNHOOK_SEED: '20261122',
  // The tests start the same programs hundreds of times.
  NODE_COMPILE_CACHE: join(workFolder, 'compile-cache'),
  // The build step packs it; its presence tells the tests to use what is built.
  ...(hasServer && { RUNHOOK_VSIX: vsix }),
};
const bin = (path: string) => join('node_modules', path);
/** More than there are cores, because many tests wait for processes that they have started, or for a timeout. */
const jobs = Math.min(6, availableParallelism() + 2).toString();

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
const reporter = ['--reporter', 'test/support/report/specWithReport.mjs'];
/** The tests of verification code; the runtimes are downloaded while the unit tests run. */
const snippets = 'test/process/snippets/**/*.test.ts';
const snippetTests: Step = {
  name: 'snippet tests',
  commands: [[...mocha, ...reporter, snippets]],
  tests: true,
};
const unitTests: Step = {
  name: 'unit tests',
  commands: [[...mocha, ...reporter, 'test/unit/**/*.test.ts']],
  tests: true,
};
const processTests: Step = {
  name: 'process tests',
  commands: [[...mocha, ...reporter, '--ignore', snippets, 'test/process/**/*.test.ts']],
  tests: true,
};
const uiTests: Step = { name: 'UI tests', commands: [['scripts/test/ui.ts', '--built']], tests: true };

/**
 * The steps in the order of their output, each with the steps it waits for. The order keeps two cores busy without
 * overloading them.
 */
const steps: readonly (readonly [step: Step, waitsFor: readonly Step[]])[] = hasServer
  ? [
      [build, []],
      [runtimes, []],
      [server, []],
      [snippetTests, [build, runtimes]],
      [unitTests, []],
      [processTests, [build, unitTests, runtimes]],
      [editorTests, [build, server]],
      [uiTests, [processTests, server]],
      // Runs at low priority, beside all other steps.
      [lint, []],
    ]
  : [
      [build, []],
      [runtimes, []],
      [snippetTests, [build, runtimes]],
      [unitTests, []],
      [processTests, [build, unitTests, runtimes]],
      // Some of them rebuild dist/.
      [editorTests, [processTests]],
      [lint, []],
    ];

// `npm test` runs every step, also after a failure, so that one run shows all problems. The last line has the counts of
// all tests; a step without tests counts as one failure if it fails.
await runMain(async () => {
  const started = Date.now();
  const running = new Map<Step, Running>();
  for (const [step, waitsFor] of steps) {
    const dependencies = waitsFor.flatMap((one) => running.get(one)?.result ?? []);
    running.set(step, startStep(step, dependencies));
  }
  const results: Result[] = [];
  for (const { step, result, show } of running.values()) {
    console.log(`\n▶ ${step.name}`);
    show();
    results.push(await result);
    console.log(results.at(-1)?.line);
  }
  console.log(`\n${results.map(({ line }) => line).join('\n')}\nin all ${secondsSince(started)}\n`);
  const { passed, failures } = mergeReports(results);
  for (const title of failures) console.log(`✗ ${title}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  return failures.length === 0 ? 0 : 1;
});

interface Running {
  step: Step;
  result: Promise<Result>;
  /** Prints the output so far, and all further output as it arrives. */
  show: () => void;
}

function startStep(step: Step, dependencies: readonly Promise<Result>[]): Running {
  let buffered = '';
  let print = (text: string): void => void (buffered += text);
  return {
    step,
    result: Promise.all(dependencies).then(() => runStep(step, (text) => print(text))),
    show: () => {
      process.stdout.write(buffered);
      print = (text) => void process.stdout.write(text);
    },
  };
}

async function runStep(step: Step, print: (text: string) => void): Promise<Result> {
  const started = Date.now();
  const reportFile = join(workFolder, `report of ${step.name}.json`);
  await rm(reportFile, { force: true });
  const failedCommands: string[] = [];
  for (const command of step.commands) {
    const ran = await runOwned(process.execPath, command, {
      cwd: root,
      env: { ...testEnv, ...process.env, RUNHOOK_TEST_REPORT: reportFile },
      print,
      graceMs: 12_000,
      background: step === lint,
    });
    if (ran.code !== 0) failedCommands.push(command.join(' '));
  }
  const { passed, failures } = step.tests
    ? parseReport(await readFile(reportFile, 'utf8').catch(() => undefined), failedCommands.length)
    : { passed: 0, failures: failedCommands };
  const mark = failures.length === 0 ? '✔' : '✗';
  const counts = step.tests ? `${passed} passed, ${failures.length} failed` : '';
  const line = `${mark} ${step.name.padEnd(14)}${secondsSince(started).padStart(6)}  ${counts}`.trimEnd();
  const titles = failures.map((failure) => `${step.name}: ${failure}`);
  return { passed, failures: titles, line };
}

function secondsSince(started: number): string {
  return `${Math.round((Date.now() - started) / 1000)} s`;
}
