import assert from 'node:assert/strict';
import { verdicts } from '../../../src/contract/values.ts';
import { type Attempt, type Delivery } from '../../../src/contract/delivery.ts';
import {
  attemptText,
  judgementText,
  markOf,
  oldSignatureText,
  otherOutcomeText,
  outcomeText,
} from '../../../src/deliveries/outcomeText.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';

const at = '2026-11-20T12:00:00.000Z';

function attempt(status?: number): Attempt {
  const outcome = status === undefined ? { error: 'ECONNREFUSED' } : { status };
  return { at, kind: 'forward', to: 'http://127.0.0.1/', durationMs: 3, ...outcome };
}

function delivery(verdict: Delivery['verdict'], ...statuses: (number | undefined)[]): Delivery {
  const attempts = statuses.map(attempt);
  const forward = attempts.at(-1);
  return deliveryOf('d-1', { verdict, ...(forward && { forward, attempts }) });
}

describe('the original signature at an attempt', () => {
  const rows: [age: number, status: number, kind: Attempt['kind'], text: string | undefined][] = [
    [28 * 60, 401, 'replay', 'signed 28 min ago'],
    [301, 403, 'forward', 'signed 5 min ago'],
    [3 * 3600, 400, 'replay', 'signed 3 h ago'],
    [5 * 86_400, 401, 'replay', 'signed 5 days ago'],
    [300, 401, 'replay', undefined],
    [-3600, 401, 'replay', undefined],
    // Not for its age.
    [28 * 60, 500, 'replay', undefined],
    [28 * 60, 200, 'replay', undefined],
    [28 * 60, 401, 'signedAnew', undefined],
    [28 * 60, 401, 'edited', undefined],
  ];
  for (const [age, status, kind, text] of rows) {
    it(`of ${age} s is ${text === undefined ? 'no' : 'a'} reason for ${status}, ${kind}`, () => {
      const sentAt = new Date(Date.parse(at) - age * 1000).toISOString();
      const attempts = [{ ...attempt(status), kind }];
      assert.equal(oldSignatureText({ attempts, sentAt }, 300), text);
    });
  }
});

describe('what became of a delivery', () => {
  const rows = [
    [delivery('verified'), 'verified', 'verified', undefined],
    [delivery('verified', 200), 'verified', 'app 200', undefined],
    [delivery('verified', 500), 'refusedByApp', 'app 500', undefined],
    [delivery('verified', undefined), 'refusedByApp', 'app is not running', undefined],
    [delivery('verified', 500, 204), 'verified', 'app 204, attempt 2', undefined],
    [delivery('verified', 200, 500), 'refusedByApp', 'app 500, attempt 2', undefined],
    [delivery('unsigned', 500), 'refusedByApp', 'app 500', 'unsigned'],
    [delivery('unsigned', 200), 'unsigned', 'unsigned', 'app 200'],
    [delivery('mismatch', 500), 'mismatch', 'mismatch', 'app 500'],
    [delivery('stale', 200, 200), 'stale', 'stale', 'app 200, attempt 2'],
  ] as const;
  for (const [one, mark, words, more] of rows) {
    it(`is the worst of verdict and app, ${words} first`, () => {
      assert.deepEqual([markOf(one), outcomeText(one), otherOutcomeText(one)], [mark, words, more]);
    });
  }

  const judgements = [
    [delivery('verified'), '✓ verified'],
    [delivery('verified', 500), '✓ verified · app 500'],
    [delivery('verified', 500, 200), '✓ verified · app 200, attempt 2'],
    [delivery('unsigned', 500), '○ unsigned · app 500'],
    [delivery('mismatch'), '✗ mismatch'],
  ] as const;
  for (const [one, words] of judgements) {
    it(`is said with the verdict first: ${words}`, () => assert.equal(judgementText(one), words));
  }

  it('says that what the app got last was edited', () => {
    const forward: Attempt = { ...attempt(401), kind: 'edited' };
    const one = deliveryOf('d-1', { forward, attempts: [attempt(200), forward] });
    assert.equal(outcomeText(one), 'app 401, attempt 2, edited');
  });

  it('is the verdict alone where it was handed to nobody', () => {
    for (const verdict of verdicts) {
      assert.deepEqual(
        [markOf(delivery(verdict)), otherOutcomeText(delivery(verdict))],
        [verdict, undefined],
      );
    }
  });

  it('does not count what is not kept', () => {
    const many = delivery('verified', ...Array.from({ length: 20 }, () => 500));
    assert.equal(outcomeText(many), 'app 500, attempt 20+');
  });

  it('is said of each attempt', () => {
    assert.equal(attemptText(attempt(200)), '→ 200 in 3 ms');
    assert.equal(attemptText(attempt()), '→ your app is not running');
    assert.equal(attemptText({ ...attempt(), error: 'ECANCELED' }), '→ your app was too slow to wait for');
    assert.equal(attemptText({ ...attempt(), error: 'TimeoutError' }), '→ your app did not respond in time');
  });
});
