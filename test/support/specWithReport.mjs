import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** A reason has at most so many lines, so that the summary of a bad run stays short. */
const mostLines = 30;

/** Mocha's `spec` reporter that also leaves a `TestReport` in the file which RUNHOOK_TEST_REPORT names. */
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
 * Why a test failed, as indented lines. The summary of a run repeats it, since a long output may be cut before its end.
 * @param {{ message: string, stack?: string }} error of another process, where suites run in parallel: a plain object
 */
function reasonOf({ message, stack = message }) {
  return stack
    .split('\n')
    .slice(0, mostLines)
    .map((line) => `    ${line}`)
    .join('\n');
}
