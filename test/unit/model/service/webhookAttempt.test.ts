import assert from 'node:assert/strict';
import {
  attemptColumns,
  attemptLine,
  type WebhookAttempt,
} from '../../../../src/model/service/webhookAttempt.ts';
import { hostileTexts } from '../../../support/untrusted/hostileTexts.ts';

const first: WebhookAttempt = {
  runId: 'run-1',
  appName: 'hello',
  requestId: 'id-1',
  to: 'http://127.0.0.1:8787/hook',
  at: '2026-11-22T12:04:11.203Z',
  number: 1,
  durationMs: 3,
  error: 'connect ECONNREFUSED 127.0.0.1:8787',
  outcome: 'retry',
  nextInMs: 812,
};
const second: WebhookAttempt = {
  ...{ ...first, error: undefined! },
  ...{ at: '2026-11-22T12:04:12.018Z', number: 2, durationMs: 1204, status: 500, outcome: 'givenUp' },
};

describe('the attempts to deliver a webhook', () => {
  it('are a line each in a log', () => {
    assert.equal(
      attemptLine(first),
      'Webhook of run run-1, attempt 1 of 3: connect ECONNREFUSED 127.0.0.1:8787; the next in 812 ms.',
    );
    assert.equal(attemptLine(second), 'Webhook of run run-1, attempt 2 of 3: answered 500; given up.');
  });

  it('are plain text on lines of their own, whatever somebody has written into them', () => {
    for (const text of hostileTexts) {
      const hostile = { ...first, appName: text, error: text, to: text, runId: text };
      assert.doesNotMatch(attemptColumns(hostile), /[\n\r]/);
    }
  });
});
