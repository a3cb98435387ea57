import assert from 'node:assert/strict';
import { type Attempt, type Delivery } from '../../../src/contract/delivery.ts';
import {
  attemptText,
  failureReason,
  handlerText,
  oldSignatureText,
  outcomeIcon,
  outcomeOf,
  outcomeText,
  outcomeTitle,
} from '../../../src/deliveries/outcomeText.ts';
import { runOutcome } from '../../../src/deliveries/runOutcome.ts';
import type { Run } from '../../../src/service/runs/run.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';
import { input } from '../../support/deliveries/runInput.ts';

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
    [28 * 60, 401, 'replay', 'signature 28 min old'],
    [301, 403, 'forward', 'signature 5 min old'],
    [3 * 3600, 400, 'replay', 'signature 3 h old'],
    [5 * 86_400, 401, 'replay', 'signature 5 days old'],
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
      const forward = { ...attempt(status), kind };
      assert.equal(oldSignatureText({ forward, sentAt }, 300), text);
    });
  }
});

/** A run that was answered, with this delivery. */
function runOf(more: Partial<Run>): Run {
  const outcome = { kind: 'answered' as const, status: 200, durationMs: 83, bytes: 2 };
  return { id: 'r', input: { ...input, webhook: true }, startedAt: 0, outcome, ...more };
}

const made = (one: Delivery): Delivery => ({ ...one, madeHere: true });

describe('what became of a delivery', () => {
  const short = 'newline after secret';
  const reason = `signed with the secret of hello; and ${short}: the caller has to remove it`;
  const waiting = { ...delivery('verified'), isForwarding: true as const };
  const crashed = { ...attempt(500), answer: '{"error": "KeyError: x"}' };
  const rows = [
    [delivery('verified'), 'verified', 'pass', 'verified', '200 · verified'],
    [{ ...delivery('verified'), answered: 500 }, 'setByUser', 'warning', '500 set by you · not forwarded'],
    [{ ...delivery('verified', 200), answered: 404 }, 'verified', 'pass', '200 · 3 ms', 'handler 200'],
    [delivery('verified', 200), 'verified', 'pass', '200 · 3 ms', 'handler 200'],
    [delivery('verified', 500), 'failed', 'warning', '500 from your handler', 'handler 500'],
    [{ ...delivery('verified'), forward: crashed }, 'failed', 'warning', '500 "KeyError: x"', 'handler 500'],
    [
      delivery('verified', undefined),
      'failed',
      'warning',
      'your handler is not running',
      'handler not running',
    ],
    [delivery('verified', 500, 204), 'verified', 'pass', '204 · 3 ms', 'handler 204'],
    [delivery('verified', 200, 500), 'failed', 'warning', '500 from your handler', 'handler 500'],
    [waiting, 'waiting', 'color-mode', 'waiting in your handler', 'waiting in handler'],
    [
      { ...waiting, verdict: 'unsigned' },
      'waiting',
      'color-mode',
      'waiting in your handler',
      'waiting in handler',
    ],
    [delivery('unsigned', 500), 'failed', 'warning', '500 from your handler', 'handler 500'],
    [delivery('unsigned', 200), 'unsigned', 'circle-large-outline', 'unsigned', 'handler 200 · unsigned'],
    [{ ...delivery('unsigned'), answered: 401 }, 'unsigned', 'warning', 'unsigned'],
    // What came of a replay stands first, in the row of its delivery too.
    [
      { ...delivery('mismatch', 500), reason },
      'mismatch',
      'error',
      `mismatch: ${short}`,
      'handler 500 · mismatch',
    ],
    // One that was refused can be replayed.
    [
      { ...waiting, verdict: 'mismatch' },
      'waiting',
      'color-mode',
      'waiting in your handler',
      'waiting in handler',
    ],
    [delivery('malformed'), 'malformed', 'error', 'malformed'],
    [delivery('stale', 200), 'stale', 'warning', 'stale', 'handler 200 · stale'],
    [{ ...delivery('stale'), answered: 401 }, 'stale', 'error', 'stale'],
    [delivery('no-secret'), 'no-secret', 'warning', 'no secret'],
    [made(delivery('verified')), 'verified', 'edit', 'made here', '200 · made here'],
    [made(delivery('verified', 200)), 'verified', 'edit', 'made here · 200 · 3 ms'],
    [
      made(delivery('verified', 500)),
      'failed',
      'warning',
      '500 from your handler · made here',
      'handler 500 · made here',
    ],
    [
      made({ ...delivery('verified'), forward: crashed }),
      'failed',
      'warning',
      '500 "KeyError: x" · made here',
      'handler 500 · made here',
    ],
    [
      made(waiting),
      'waiting',
      'color-mode',
      'waiting in your handler · made here',
      'waiting in handler · made here',
    ],
    [made(delivery('stale')), 'stale', 'warning', 'stale · made here'],
  ] as const;
  for (const [one, outcome, icon, words, ofRun = words] of rows) {
    it(`is said alike by its row and that of its run: ${words}`, () => {
      assert.deepEqual([outcomeOf(one), outcomeIcon(one).icon, outcomeText(one)], [outcome, icon, words]);
      const look = runOutcome(runOf({ delivery: { ...one, repeats: 0 } }));
      assert.deepEqual([look.icon, look.color, look.text], [icon, outcomeIcon(one).color, ofRun]);
      assert.equal(look.isBad, icon === 'warning' || icon === 'error');
    });
  }

  it('is the age of the signature, where the handler refused an old one', () => {
    const sentAt = new Date(Date.parse(at) - 28 * 60_000).toISOString();
    assert.equal(outcomeText({ ...delivery('verified', 401), sentAt }), '401: signature 28 min old');
  });

  const reasons = [
    ['', undefined],
    ['KeyError: "x"\n  at y', 'KeyError: "x"'],
    ['{"message": "no prompt", "stack": "a\\nb"}', 'no prompt'],
    ['{"detail": [{"loc": ["body", "prompt"], "msg": "field required"}]}', 'prompt: field required'],
    ['{"error": "cut off", "stack": "at x', 'cut off'],
    ['{"error": "Internal Server Error", "detail": "KeyError: prompt"}', 'KeyError: prompt'],
    ['{"error": "Unauthorized"}', 'Unauthorized'],
    ['Traceback (most recent call last):\n  File "a.py"\nKeyError: \'prompt\'\n', "KeyError: 'prompt'"],
    ['Traceback (most recent call last):\n  File "a.py"', undefined],
    ['<html><head><title>502 Bad Gateway</title></head>', '502 Bad Gateway'],
    ['<title>Error</title><body><pre>TypeError: x<br> at y</pre>', 'TypeError: x'],
    ['x'.repeat(400), `${'x'.repeat(299)}…`],
  ] as const;
  for (const [answer, reason] of reasons) {
    it(`has the reason ${String(reason)} for the response ${answer.slice(0, 30)}`, () => {
      assert.equal(failureReason({ answer }), reason);
    });
  }

  const shortened = [
    ["TypeError: Cannot read properties of undefined (reading 'prompt')", "'prompt' of undefined"],
    ["TypeError: Cannot set properties of null (setting 'id')", "'id' of null"],
    ['pg.errors.UniqueViolationError: duplicate key', 'duplicate key'],
    ["KeyError: 'prompt'", "KeyError: 'prompt'"],
    ['Error: boom', 'Error: boom'],
    ['no prompt', 'no prompt'],
  ] as const;
  for (const [answer, words] of shortened) {
    it(`is said in few words by a row, and whole elsewhere: ${answer}`, () => {
      const failed = { ...delivery('verified'), forward: { ...attempt(500), answer } };
      assert.deepEqual(
        [outcomeText(failed, 300, true), outcomeText(failed)],
        [`500 "${words}"`, `500 "${answer}"`],
      );
    });
  }

  it('is cut in a link, which leaves room for the next ones, and whole beside it', () => {
    const failed = { ...delivery('verified'), forward: { ...attempt(500), answer: 'x'.repeat(100) } };
    const { title, tooltip } = outcomeTitle(failed);
    assert.deepEqual([title.length, title.at(-1), tooltip], [40, '…', `500 "${'x'.repeat(100)}"`]);
  });

  it('is said of each attempt', () => {
    assert.equal(attemptText(attempt(200)), '→ 200 in 3 ms');
    assert.equal(attemptText(attempt()), '→ your handler is not running');
    assert.equal(handlerText({ ...attempt(), error: 'ECANCELED' }), 'replay cancelled');
    assert.equal(handlerText({ ...attempt(), error: 'TimeoutError' }), 'your handler took too long');
  });
});

describe('what became of a run', () => {
  const answered = (status: number) => ({ kind: 'answered' as const, status, durationMs: 83, bytes: 2 });
  const without = { ...input, webhook: false };
  const elsewhere = { ...input, webhook: 'https://elsewhere.example/' };
  const brokenOff = { bytes: 812, announced: 1624, times: 1 };
  const failed = { kind: 'failed' as const, reason: 'reset', durationMs: 1 };
  const rows: [more: Partial<Run>, icon: string, text: string, isBad?: true][] = [
    [{ outcome: { kind: 'running' } }, 'sync~spin', 'running'],
    [{ outcome: { kind: 'cancelled', durationMs: 1 } }, 'circle-slash', 'cancelled'],
    [{ outcome: { kind: 'interrupted' } }, 'debug-disconnect', 'interrupted'],
    [{ outcome: failed }, 'error', 'failed', true],
    [{ outcome: { ...failed, bytes: 812 } }, 'error', 'broke off after 812 bytes', true],
    [{ input: without }, 'pass', '200 · 83 ms'],
    [{ input: without, outcome: answered(500) }, 'warning', '500 · 83 ms', true],
    [{ input: without, outcome: answered(302) }, 'warning', '302 · 83 ms', true],
    [{ input: without, outcome: answered(302), runId: 'run' }, 'pass', '302 · 83 ms'],
    [{ outcome: answered(401) }, 'warning', '401 · not delivered', true],
    [{ outcome: answered(500), runId: 'run' }, 'warning', 'app 500 · not delivered', true],
    [{ input: without, outcome: answered(500), runId: 'run' }, 'warning', 'app 500 · 83 ms', true],
    [{}, 'pass', '200 · run id not known'],
    [{ runId: 'run' }, 'pass', '200 · not delivered'],
    [{ awaited: true }, 'pass', 'no delivery yet'],
    [{ input: elsewhere }, 'pass', '200 · sent elsewhere'],
    [{ brokenOff }, 'pass', '200 · broke off at 812 of 1624 bytes'],
    [{ largerThan: 1000 }, 'warning', 'body too large', true],
    [{ brokenOff: { ...brokenOff, times: 3 } }, 'warning', '200 · broke off at 812 of 1624 bytes', true],
    [
      { outcome: answered(500), delivery: { ...delivery('verified', 200), repeats: 0 } },
      'warning',
      'app 500',
      true,
    ],
    [
      { outcome: answered(500), delivery: { ...delivery('verified'), repeats: 0 } },
      'warning',
      'app 500',
      true,
    ],
    [
      { outcome: { kind: 'interrupted' }, delivery: { ...delivery('verified'), repeats: 0 } },
      'pass',
      'interrupted · verified',
    ],
    [
      {
        outcome: { kind: 'cancelled', durationMs: 1 },
        delivery: { ...delivery('verified', 200), repeats: 0 },
      },
      'pass',
      'cancelled · handler 200',
    ],
    [{ outcome: failed, delivery: { ...delivery('verified'), repeats: 0 } }, 'warning', 'failed', true],
  ];
  for (const [more, icon, text, isBad = false] of rows) {
    it(`is said where nothing was delivered, or the run itself has no whole response: ${text}`, () => {
      const look = runOutcome(runOf(more));
      assert.deepEqual([look.icon, look.text, look.isBad], [icon, text, isBad]);
    });
  }
});
