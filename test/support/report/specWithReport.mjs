import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** Keeps the summary of a run with many failures short. */
const maxReasonLines = 30;

/** Mocha's `spec` reporter, which also writes a `TestReport` to the file that RUNHOOK_TEST_REPORT names. */
export default class SpecWithReport extends Mocha.reporters.Spec {
  /**
   * @param {Mocha.Runner} runner
   * @param {Mocha.MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    /** @type {string[]} */
    const failures = [];
    runner.on('fail', (test, error) => failures.push(`${test.fullTitle()}\n${reasonOf(error)}`));
    runner.once('end', () => {
      const file = process.env.RUNHOOK_TEST_REPORT;
      if (file) writeFileSync(file, JSON.stringify({ passed: this.stats.passes, failures }));
    });
  }
}

/**
 * The error of a failed test, indented, for the summary at the end of a run.
 * @param {{ message: string, stack?: string }} error a plain object if suites run in parallel processes
 */
function reasonOf({ message, stack = message }) {
  return stack
    .split('\n')
    .slice(0, maxReasonLines)
    .map((line) => `    ${line}`)
    .join('\n');
}
