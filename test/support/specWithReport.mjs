import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

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
    runner.on('fail', (test) => failures.push(test.fullTitle()));
    runner.once('end', () => {
      const file = process.env.RUNHOOK_TEST_REPORT;
      if (file) writeFileSync(file, JSON.stringify({ passed: this.stats.passes, failures }));
    });
  }
}
