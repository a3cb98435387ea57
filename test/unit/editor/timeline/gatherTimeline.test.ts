import assert from 'node:assert/strict';
import type { Run } from '../../../../src/service/runs/run.ts';
import type { WebhookAttempt } from '../../../../src/service/webhookAttempt.ts';
import { gatherTimeline, type TimelineData } from '../../../../src/editor/timeline/gatherTimeline.ts';
import type { Lane } from '../../../../src/contract/timeline.ts';
import { deliveryOf } from '../../../support/deliveries/deliveryOf.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');
const after = (ms: number): string => new Date(noon + ms).toISOString();

describe('the timeline of a run', () => {
  it('shows the call, each attempt of the webhook, what the app did, and replays', () => {
    const delivery = deliveryOf('d', {
      receivedAt: after(1510),
      runId: 'run-1',
      requestId: 'r',
      attempts: [
        {
          at: after(1520),
          to: 'http://localhost:3000/',
          status: 500,
          durationMs: 7,
          kind: 'forward',
          answer: 'KeyError',
        },
        { at: after(5000), to: 'http://localhost:3000/', status: 200, durationMs: 9, kind: 'replay' },
      ],
    });
    const lane = laneOf({
      runs: [{ ...run, headAfterMs: 30 }],
      deliveries: [delivery],
      attempts: [attempt(1, 500, 404, 'retry'), attempt(2, 1500, 200, 'delivered')],
    });
    assert.deepEqual(
      lane.marks.map(({ track, from, to, outcome, label }) => [
        track,
        from - noon,
        to - noon,
        outcome,
        label,
      ]),
      [
        ['call', 0, 412, 'good', '200'],
        ['webhook', 500, 520, 'bad', '1 ✗ 404'],
        ['webhook', 1500, 1520, 'good', '2 ✓ 200'],
        ['app', 1513, 1520, 'bad', '500'],
        ['app', 4991, 5000, 'good', '↺ 200'],
      ],
    );
    const [call, first, second, handed] = lane.marks;
    assert.deepEqual(call?.opens, { kind: 'answer', id: 'own' });
    assert.equal(first?.text, 'attempt 1 of 3 · 404 in 20 ms · the next in 1.0 s');
    assert.equal(first.opens, undefined);
    assert.deepEqual(second?.opens, { kind: 'delivery', id: 'd' });
    assert.match(handed?.text ?? '', /forwarded · → 500 in 7 ms · localhost:3000 · KeyError/);
  });

  it('tells what was edited from what was replayed', () => {
    const sent = { at: after(10), to: 'http://localhost:3000/', status: 200, durationMs: 7 };
    const kinds = ['replay', 'signedAnew', 'edited', 'unsigned'] as const;
    const delivery = deliveryOf('d', {
      receivedAt: after(0),
      attempts: kinds.map((kind, at) => ({ ...sent, at: after(10 + at * 10), kind })),
    });
    assert.deepEqual(
      laneOf({ deliveries: [delivery] })
        .marks.filter(({ track }) => track === 'app')
        .map(({ label, outcome }) => [label, outcome]),
      [
        ['↺ 200', 'good'],
        ['↺ 200 · signed anew', 'good'],
        ['↺ 200 · edited', 'good'],
        // It has to be rejected.
        ['↺ 200 · unsigned: accepted', 'bad'],
      ],
    );
  });

  it('says of a run without an id that the id is not known, and of a delivery of no run that it has none', () => {
    const { runId: _, ...unnamed } = run;
    const outcome = { kind: 'cancelled', durationMs: 2500 } as const;
    assert.match(laneOf({ runs: [{ ...unnamed, outcome }] }).title, /^\d\d:\d\d:\d\d run id not known$/);
    const running = laneOf({ runs: [{ ...unnamed, outcome: { kind: 'running' } }] });
    assert.match(running.title, /^\d\d:\d\d:\d\d$/);
    assert.match(laneOf({ deliveries: [deliveryOf('d')] }).title, / no run$/);
  });

  it('says of attempts without a response what the listener got of them', () => {
    const failed: WebhookAttempt = { ...attempt(1, 500, 200, 'retry'), error: 'socket hang up' };
    delete failed.status;
    const labelsOf = (more: Partial<Run>) =>
      laneOf({ runs: [{ ...run, ...more }], attempts: [failed] }).marks.map(({ label, text }) => [
        label,
        text,
      ]);
    const [, [label, text] = []] = labelsOf({});
    assert.equal(label, '✗ no response');
    assert.match(String(text), /^attempt 1 of 3 · socket hang up · /);
    const brokenOff = { bytes: 85, announced: 170, wasLate: true as const, times: 1 };
    const [, [labelOfPart, textOfPart] = []] = labelsOf({ brokenOff });
    assert.equal(labelOfPart, '✗ broke off');
    assert.match(
      String(textOfPart),
      /^attempt 1 of 3 · broke off at 85 of 170 bytes: the rest did not arrive in time · /,
    );
  });

  it('gives a repeat the number of the attempt that it repeats, and says as the row does why nothing came back', () => {
    const sent = { runId: 'run-1', requestId: 'r' };
    const to = 'http://localhost:3000/';
    const refused = { at: after(530), to, error: 'ECONNREFUSED', durationMs: 2, kind: 'forward' as const };
    const lane = laneOf({
      runs: [run],
      deliveries: [
        deliveryOf('made', { runId: 'run-1', receivedAt: after(900), madeHere: true }),
        deliveryOf('again', { ...sent, receivedAt: after(710), repeatOf: 'd' }),
        deliveryOf('d', { ...sent, receivedAt: after(510), attempts: [refused] }),
      ],
      attempts: [attempt(1, 500, 200, 'delivered'), attempt(1, 700, 200, 'delivered')],
    });
    assert.deepEqual(
      lane.marks.map(({ label }) => label),
      ['200', '1 ✓ 200', 'handler not running', '1 ↻ 200', '✎ made here 200'],
    );
  });

  it('goes on while the answer and the app are waited for', () => {
    const delivery = deliveryOf('d', { receivedAt: after(100), runId: 'run-1', isForwarding: true });
    const lane = laneOf({
      runs: [{ ...run, outcome: { kind: 'running' } }],
      deliveries: [delivery],
    });
    assert.deepEqual(
      lane.marks.map(({ track, outcome }) => [track, outcome]),
      [
        ['call', 'underWay'],
        ['webhook', 'good'],
        ['app', 'underWay'],
      ],
    );
  });

  it('says why a delivery was refused, on one line and without markup of the editor', () => {
    const reason = 'the secret has\na newline $(x) at its end';
    const lane = laneOf({
      deliveries: [deliveryOf('d', { verdict: 'mismatch', answered: 401, reason, runId: 'run-1' })],
    });
    assert.deepEqual([lane.marks[0]?.outcome, lane.marks[0]?.label], ['refused', '✗ mismatch 401']);
    assert.doesNotMatch(lane.marks[0]?.text ?? '', /\n|\$\(/);
  });
});

describe('the timeline of an app', () => {
  it('has a lane for each run, and repeats in that of the first', () => {
    const { lanes } = gatherTimeline(
      'hello',
      known({
        runs: [run, { ...run, id: 'other', runId: 'run-2', startedAt: noon + 10 }],
        deliveries: [
          deliveryOf('late', { runId: 'run-1', receivedAt: after(900) }),
          deliveryOf('early', { runId: 'run-2', receivedAt: after(500) }),
          deliveryOf('again', { receivedAt: after(2000), repeatOf: 'alone' }),
          deliveryOf('alone', { receivedAt: after(1000) }),
          deliveryOf('stranger', { runId: 'run-3', receivedAt: after(3000) }),
        ],
      }),
      noon,
    );
    assert.deepEqual(
      lanes.map(({ id, marks }) => [id, ...marks.map((mark) => mark.id)]),
      [
        ['run own', 'call own', 'delivery late'],
        ['run other', 'call other', 'delivery early'],
        ['delivery alone', 'delivery alone', 'delivery again'],
        ['runId run-3', 'delivery stranger'],
      ],
    );
    assert.match(lanes[2]?.marks[1]?.label ?? '', /↻/);
  });

  it('has what was made here, by that name, in the lane of its run', () => {
    const { marks } = laneOf({
      runs: [{ ...run, runId: undefined }] as Run[],
      deliveries: [deliveryOf('d', { receivedAt: after(5), madeHere: true, joinedRun: 'own' })],
    });
    assert.deepEqual(
      marks.map(({ id, label }) => `${id}: ${label}`),
      ['call own: 200', 'delivery d: ✎ made here 200'],
    );
  });

  it('joins what the answer told, where the delivery names no run', () => {
    const joined = { id: 'd', verdict: 'verified', receivedAt: after(5), answered: 200, repeats: 0 } as const;
    const lane = laneOf({
      runs: [{ ...run, delivery: joined }],
      deliveries: [deliveryOf('d', { receivedAt: after(5) })],
    });
    assert.deepEqual(
      lane.marks.map(({ id }) => id),
      ['call own', 'delivery d'],
    );
  });
});

const run: Run = {
  id: 'own',
  runId: 'run-1',
  startedAt: noon,
  input: { projectId: 'p', appName: 'hello', path: 'run', method: 'POST', headers: {}, webhook: true },
  outcome: { kind: 'answered', status: 200, durationMs: 412, bytes: 2 },
};

function attempt(
  number: number,
  ms: number,
  status: number,
  outcome: WebhookAttempt['outcome'],
): WebhookAttempt {
  const of = { runId: 'run-1', appName: 'hello', requestId: 'r', to: 'http://localhost/' };
  return { ...of, at: after(ms), number, durationMs: 20, status, outcome, nextInMs: 1000 };
}

function known(some: Partial<TimelineData>): TimelineData {
  return { runs: [], deliveries: [], attempts: [], ...some };
}

function laneOf(some: Partial<TimelineData>): Lane {
  const { lanes } = gatherTimeline('hello', known(some), noon);
  assert.equal(lanes.length, 1);
  return lanes[0] ?? assert.fail();
}
