import { missingAnswerText } from '../../deliveries/forwardText.ts';
import type { Verdict } from '../../deliveries/delivery.ts';
import { isSuccess } from '../../service/isSuccess.ts';
import { isGivenUp, needsToken } from '../refusedRun.ts';
import type { Run, Series } from '../run.ts';
import { percentile } from './percentile.ts';

/** So many things, and how long they took, in milliseconds; without a time where there is none. */
export interface Timed {
  count: number;
  p50Ms?: number;
  p95Ms?: number;
}

/** What became of a run that was made many times. JSON: callers of the command are given it. */
export interface SeriesOutcome {
  id: string;
  times: number;
  concurrency: number;
  /** How many were begun. */
  started: number;
  running: number;
  /** Until the answer was complete. */
  answered: Timed & { byStatus: Record<string, Timed> };
  /** Those that got no answer, or not all of it. */
  failed: { count: number; byReason: Record<string, number> };
  cancelled: number;
  /** Their window was reloaded or closed. */
  interrupted: number;
  /** From the start of the run until its delivery arrived. Repeats are not among them. */
  delivered: Timed & { byVerdict: Partial<Record<Verdict, number>> };
  /** What the local app answered the last time that it was handed a delivery. */
  takenByApp: { count: number; byStatus: Record<string, number>; byReason: Record<string, number> };
  /** How often a delivery came again. */
  repeats: number;
  /** The service's ids of the runs, where their answers told them. */
  runIds: string[];
}

/** Counts what is known of the runs of a series now. */
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
        [...Map.groupBy(answers, ({ status }) => status)].map(([status, those]) => [status, timed(those)]),
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
  /** Their deliveries come to the listener. */
  deliveries: boolean;
  /** Those that verify are handed on to the local app. */
  app: boolean;
}

/** What is still waited for. */
export interface Pending {
  /** So many deliveries have not arrived. */
  deliveries: number;
  /** So many that have are not answered by the local app. */
  app: number;
}

export function pendingOf(runs: readonly Run[], awaited: Awaited): Pending {
  const waiting = runs.filter(
    ({ outcome, delivery }) => delivery === undefined && outcome.kind === 'answered',
  );
  const handed = runs.filter(({ delivery }) => delivery?.verdict === 'verified' && !delivery.forward);
  return {
    deliveries: awaited.deliveries ? waiting.filter((run) => !isGivenUp(run)).length : 0,
    app: awaited.app ? handed.length : 0,
  };
}

/** Whether the service refused the token and has answered none of them: each further run would be refused as well. */
export function isRefused(runs: readonly Run[]): boolean {
  const isAnswered = runs.some(({ outcome }) => outcome.kind === 'answered' && isSuccess(outcome.status));
  return !isAnswered && runs.some(needsToken);
}

function timed(those: readonly { durationMs: number }[]): Timed {
  const durations = those.map(({ durationMs }) => durationMs);
  const [p50Ms, p95Ms] = [percentile(durations, 50), percentile(durations, 95)];
  return {
    count: those.length,
    ...(p50Ms !== undefined && { p50Ms }),
    ...(p95Ms !== undefined && { p95Ms }),
  };
}

/** How often each of them is there. */
function counts<Key extends string | number>(keys: readonly Key[]): Record<Key, number> {
  const found = new Map<Key, number>();
  for (const key of keys) found.set(key, (found.get(key) ?? 0) + 1);
  return Object.fromEntries(found) as Record<Key, number>;
}
