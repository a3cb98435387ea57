import assert from 'node:assert/strict';
import { parseReport, mergeReports } from '../../support/report/testReport.ts';

describe('the report of a suite', () => {
  it('names what failed, over all suites', () => {
    const reports = [
      { passed: 2, failures: ['the tree opens'] },
      { passed: 3, failures: [] },
    ];
    assert.deepEqual(mergeReports(reports), { passed: 5, failures: ['the tree opens'] });
    assert.deepEqual(parseReport(JSON.stringify(reports[0]), 1), reports[0]);
  });

  it('says so where the suite broke off without naming a test', () => {
    assert.deepEqual(parseReport(undefined, 7), { passed: 0, failures: ['it ended with 7'] });
    assert.deepEqual(parseReport(JSON.stringify({ passed: 4, failures: [] }), 1).failures, [
      'it ended with 1',
    ]);
  });

  it('takes a suite that ran nothing for one that failed', () => {
    assert.deepEqual(parseReport(JSON.stringify({ passed: 0, failures: [] }), 0).failures, [
      'it ran no test',
    ]);
    assert.deepEqual(parseReport(undefined, 0).failures, ['it ran no test']);
  });
});
