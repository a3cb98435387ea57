import { missingAnswerText } from '../../deliveries/forwardText.ts';
import type { Verdict } from '../../deliveries/delivery.ts';
import { isSuccess } from '../../service/isSuccess.ts';
import { isGivenUp, needsToken } from '../refusedRun.ts';
import type { Run, Series } from '../run.ts';
import { percentile } from './percentile.ts';

/** A count, and percentiles of the durations in milliseconds, which are absent if the count is 0. */
export interface Timed {
  count: number;
  p50Ms?: number;
  p95Ms?: number;
}

/** The outcome of a run that was made many times. JSON: the command returns it to its callers. */
export interface SeriesOutcome {
  id: string;
  times: number;
  concurrency: number;
  /** How many runs were started. */
  started: number;
  running: number;
  /** Timed until the answer was complete. */
  answered: Timed & { byStatus: Record<string, Timed> };
  /** Runs that got no answer, or not all of it. */
  failed: { count: number; byReason: Record<string, number> };
  cancelled: number;
  /** Runs whose window was reloaded or closed. */
  interrupted: number;
  /** Timed from the start of the run until its delivery arrived. Repeats are not counted. */
  delivered: Timed & { byVerdict: Partial<Record<Verdict, number>> };
  /** The local app's last answer to each delivery. */
  takenByApp: { count: number; byStatus: Record<string, number>; byReason: Record<string, number> };
  /** How many repeats of deliveries arrived. */
  repeats: number;
  /** The service's ids of the runs, where they are known. */
  runIds: string[];
}

/** Counts what is currently known of the runs of a series. */
export function seriesOutcome({ id, times, atOnce }: Series, runs: readonly Run[]): SeriesOutcome {
  const answers = runs.flatMap(({ outcome }) => (outcome.kind === 'answered' ? [outcome] : []));
  const reasons = runs.flatMap(({ outcome }) => (outcome.kind === 'failed' ? [outcome.reason] : []));
  const ended = (kind: Run['outcome']['kind']) => runs.filter(({ outcome }) => outcome.kind === kind).length;
  const delivered = runs.flatMap(({ startedAt, delivery }) =>
    delivery === undefined
      ? []
      : [{ ...delivery, durationMs: Math.max(0, Date.parse(delivery.receivedAt) - startedAt) }],
  );
  const forwards = delivered.flatMap(({ forward }) => forward ?? []);
  const refusing = forwards.filter(({ status = 0 }) => !isSuccess(status));
  return {
    ...{ id, times, concurrency: atOnce, started: runs.length, running: ended('running') },
    answered: {
      ...timed(answers),
      byStatus: Object.fromEntries(
        [...Map.groupBy(answers, ({ status }) => status)].map(([status, group]) => [status, timed(group)]),
      ),
    },
    failed: { count: reasons.length, byReason: counts(reasons) },
    cancelled: ended('cancelled'),
    interrupted: ended('interrupted'),
    delivered: { ...timed(delivered), byVerdict: counts(delivered.map(({ verdict }) => verdict)) },
    takenByApp: {
      count: forwards.length - refusing.length,
      byStatus: counts(refusing.flatMap(({ status }) => status ?? [])),
      byReason: counts(
        refusing.flatMap(({ status, error = '' }) => (status === undefined ? missingAnswerText(error) : [])),
      ),
    },
    repeats: delivered.reduce((sum, { repeats }) => sum + repeats, 0),
    runIds: runs.flatMap(({ runId }) => runId ?? []),
  };
}

/** What is waited for once all runs of a series have been answered. */
export interface Awaited {
  /** Whether the deliveries of the runs go to the listener. */
  deliveries: boolean;
  /** Whether verified deliveries are forwarded to the local app. */
  app: boolean;
}

/** What is still waited for. */
export interface Pending {
  /** The number of deliveries that have not arrived. */
  deliveries: number;
  /** The number of arrived deliveries that the local app has not answered. */
  app: number;
}

/** The answered runs whose delivery may still arrive. */
export function undelivered(runs: readonly Run[]): Run[] {
  return runs.filter(
    (run) => run.outcome.kind === 'answered' && run.delivery === undefined && !isGivenUp(run),
  );
}

export function pendingOf(runs: readonly Run[], awaited: Awaited): Pending {
  const handed = runs.filter(({ delivery }) => delivery?.verdict === 'verified' && !delivery.forward);
  return {
    deliveries: awaited.deliveries ? undelivered(runs).length : 0,
    app: awaited.app ? handed.length : 0,
  };
}

/** Whether the service refused the token and no run succeeded: each further run would be refused as well. */
export function isRefused(runs: readonly Run[]): boolean {
  const isAnswered = runs.some(({ outcome }) => outcome.kind === 'answered' && isSuccess(outcome.status));
  return !isAnswered && runs.some(needsToken);
}

function timed(group: readonly { durationMs: number }[]): Timed {
  const durations = group.map(({ durationMs }) => durationMs);
  const [p50Ms, p95Ms] = [percentile(durations, 50), percentile(durations, 95)];
  return {
    count: group.length,
    ...(p50Ms !== undefined && { p50Ms }),
    ...(p95Ms !== undefined && { p95Ms }),
  };
}

/** How often each key occurs. */
function counts<Key extends string | number>(keys: readonly Key[]): Record<Key, number> {
  const found = new Map<Key, number>();
  for (const key of keys) found.set(key, (found.get(key) ?? 0) + 1);
  return Object.fromEntries(found) as Record<Key, number>;
}
