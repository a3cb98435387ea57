import assert from 'node:assert/strict';
import { judgeAttempt, maxDelayMs, retryDelayMs } from '../../../../src/model/service/webhookAttempt.ts';

describe('the retry table (service-interface.md, section 6)', () => {
  const rows = [
    [200, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [404, 'retry'],
    [400, 'permanentFailure'],
    [401, 'permanentFailure'],
    [410, 'permanentFailure'],
    [429, 'permanentFailure'],
    [500, 'permanentFailure'],
    [503, 'permanentFailure'],
    [599, 'permanentFailure'],
    [301, 'retry'],
    [304, 'retry'],
    [600, 'retry'],
  ] as const;
  for (const [status, verdict] of rows) {
    it(`${status.toString()} → ${verdict}`, () => {
      assert.equal(judgeAttempt({ kind: 'response', status }), verdict);
    });
  }

  it('a network error → retry', () => {
    assert.equal(judgeAttempt({ kind: 'networkError', reason: 'ECONNREFUSED' }), 'retry');
  });

  it('never waits longer than 5 seconds', () => {
    for (let attempt = 1; attempt < 20; attempt += 1) {
      for (const random of [0, 0.5, 0.999999]) {
        assert.ok(retryDelayMs(attempt, random) <= maxDelayMs);
        assert.ok(retryDelayMs(attempt, random) > 0);
      }
    }
  });
});
