import assert from 'node:assert/strict';
import { clockTime } from '../../../../src/model/deliveries/deliveryLine.ts';
import {
  attemptLine,
  attemptsText,
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

  it('are a table for reading, whose columns line up, with the times of the output panel', () => {
    const [one, two] = [first, second].map(({ at }) => clockTime(new Date(at)));
    assert.equal(
      attemptsText('run-1', [first, second]),
      [
        'Webhook of hello, run run-1',
        '→ http://127.0.0.1:8787/hook',
        'X-Request-Id: id-1',
        '',
        'Attempt  Answer                               Then                Time          Took',
        `1 of 3   connect ECONNREFUSED 127.0.0.1:8787  the next in 812 ms  ${one}  3 ms`,
        `2 of 3   500                                  given up            ${two}  1.2 s`,
        '',
      ].join('\n'),
    );
  });

  it('say where there are none, and where the answer was cut', () => {
    assert.match(attemptsText('run-9', []), /no attempt .* run-9\.\n/);
    const cut = attemptsText('run-1', [{ ...first, cutFrom: 11_534_336 }]);
    assert.match(cut, /^The answer of the app, 11534336 bytes, was cut\.$/m);
  });

  it('are plain text on lines of their own, whatever somebody has written into them', () => {
    for (const text of hostileTexts) {
      const hostile = { ...first, appName: text, error: text, to: text, runId: text };
      assert.equal(attemptsText(text, [hostile]).split('\n').length, 7);
    }
  });
});
