import assert from 'node:assert/strict';
import { isRefused, pendingOf, seriesOutcome } from '../../../../../src/model/runs/series/seriesOutcome.ts';
import { answered, delivered, runOf, series } from '../../../../support/deliveries/runSeries.ts';

describe('the outcome of a series', () => {
  it('counts nothing where nothing was begun', () => {
    assert.deepEqual(seriesOutcome(series, []), {
      ...{ id: 'a-series', times: 10, concurrency: 4, started: 0, running: 0 },
      answered: { count: 0, byStatus: {} },
      failed: { count: 0, byReason: {} },
      ...{ cancelled: 0, interrupted: 0 },
      delivered: { count: 0, byVerdict: {} },
      takenByApp: { count: 0, byStatus: {}, byReason: {} },
      ...{ repeats: 0, runIds: [] },
    });
  });

  it('counts answers by status with their times, and the rest by what became of it', () => {
    const outcome = seriesOutcome(series, [
      runOf(1, answered(200, 30), { runId: 'r-1' }),
      runOf(2, answered(200, 10), { runId: 'r-2' }),
      runOf(3, answered(503, 2)),
      runOf(4, { kind: 'failed', reason: 'nothing listens there', durationMs: 1 }),
      runOf(5, { kind: 'failed', reason: 'nothing listens there', durationMs: 1 }),
      runOf(6, { kind: 'failed', reason: '__proto__', durationMs: 1 }),
      runOf(7, { kind: 'cancelled', durationMs: 5 }),
      runOf(8, { kind: 'interrupted' }),
      runOf(9, { kind: 'running' }),
    ]);
    assert.deepEqual(outcome.answered, {
      ...{ count: 3, p50Ms: 10, p95Ms: 30 },
      byStatus: { 200: { count: 2, p50Ms: 10, p95Ms: 30 }, 503: { count: 1, p50Ms: 2, p95Ms: 2 } },
    });
    assert.equal(outcome.failed.count, 3);
    assert.deepEqual(Object.entries(outcome.failed.byReason), [
      ['nothing listens there', 2],
      ['__proto__', 1],
    ]);
    const { started, running, cancelled, interrupted, runIds } = outcome;
    assert.deepEqual([started, running, cancelled, interrupted, runIds], [9, 1, 1, 1, ['r-1', 'r-2']]);
  });

  it('counts deliveries by verdict, with the time until they arrived, and what the app answered', () => {
    const {
      delivered: found,
      takenByApp,
      repeats,
    } = seriesOutcome(series, [
      runOf(1, answered(200, 30), delivered(400, { forward: { status: 204 }, repeats: 2 })),
      runOf(2, answered(200, 30), delivered(100, { forward: { status: 500 } })),
      runOf(3, answered(200, 30), delivered(200, { forward: { error: 'ECONNREFUSED' } })),
      runOf(4, answered(200, 30), delivered(300, { verdict: 'mismatch', repeats: 1 })),
      // The clock was set back meanwhile.
      runOf(5, answered(200, 30), delivered(-50)),
      runOf(6, answered(200, 30)),
    ]);
    assert.deepEqual(found, { count: 5, p50Ms: 200, p95Ms: 400, byVerdict: { verified: 4, mismatch: 1 } });
    assert.deepEqual(takenByApp, { count: 1, byStatus: { 500: 1 }, byReason: { 'is not up': 1 } });
    assert.equal(repeats, 3);
  });

  it('waits for deliveries that may come, and for the app where what verified is handed on', () => {
    const runs = [
      runOf(1, answered(200, 30)),
      runOf(2, answered(503, 30)),
      // Refused: nothing will be delivered.
      runOf(3, answered(429, 30)),
      runOf(4, answered(200, 30), { brokenOff: { bytes: 1, times: 3 } }),
      runOf(5, { kind: 'failed', reason: 'reset', durationMs: 1 }),
      runOf(6, { kind: 'cancelled', durationMs: 1 }),
      runOf(7, answered(200, 30), delivered(10)),
      runOf(8, answered(200, 30), delivered(10, { forward: { status: 500 } })),
      runOf(9, answered(200, 30), delivered(10, { verdict: 'mismatch' })),
    ];
    assert.deepEqual(pendingOf(runs, { deliveries: true, app: true }), { deliveries: 2, app: 1 });
    assert.deepEqual(pendingOf(runs, { deliveries: true, app: false }), { deliveries: 2, app: 0 });
    assert.deepEqual(pendingOf(runs, { deliveries: false, app: false }), { deliveries: 0, app: 0 });
  });

  it('is refused where the token is, and nothing was answered', () => {
    const refused = runOf(1, answered(401, 3));
    assert.equal(isRefused([]), false);
    assert.equal(isRefused([refused]), true);
    assert.equal(isRefused([refused, runOf(2, answered(500, 3))]), true);
    assert.equal(isRefused([refused, runOf(2, answered(200, 3))]), false);
    assert.equal(isRefused([runOf(1, answered(429, 3))]), false);
    // The app itself says so.
    assert.equal(isRefused([runOf(1, answered(401, 3), { runId: 'r' })]), false);
  });
});
