import type { Run, RunDelivery, RunOutcome, Series } from '../../../src/model/runs/run.ts';

export const input = {
  ...{ projectId: 'p', appName: 'echo', path: 'run', method: 'POST', headers: {} },
  webhook: true as const,
};

export const series: Series = { id: 'a-series', times: 10, atOnce: 4, startedAt: Date.UTC(2026, 0, 1) };

/** A run of the series with this outcome. */
export function runOf(number: number, outcome: RunOutcome, more: Partial<Run> = {}): Run {
  const { startedAt } = series;
  return { id: `run-${number}`, input, series: { ...series, number }, startedAt, outcome, ...more };
}

export function answered(status: number, durationMs: number): RunOutcome {
  return { kind: 'answered', status, durationMs, bytes: 2 };
}

/** A delivery that arrived this long after the start of the run. */
export function delivered(afterMs: number, more: Partial<RunDelivery> = {}): { delivery: RunDelivery } {
  const receivedAt = new Date(series.startedAt + afterMs).toISOString();
  return { delivery: { id: `d-${afterMs}`, verdict: 'verified', receivedAt, repeats: 0, ...more } };
}
