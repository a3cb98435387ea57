import { verdictText } from '../../deliveries/verdictText.ts';
import { durationText } from '../../text/durationText.ts';
import { t } from '../../text/l10n.ts';
import { plainText } from '../../text/plainText.ts';
import { padded, textWidth } from '../../text/textWidth.ts';
import type { RunInput } from '../run.ts';
import type { Pending, SeriesOutcome, Timed } from './seriesOutcome.ts';

/** How far a series has come. */
export type SeriesState =
  | { kind: 'running' }
  /** All runs have ended. */
  | { kind: 'waiting'; for: Pending }
  /** `notWaited`: why deliveries may still arrive, in a sentence. */
  | { kind: 'ended'; isRefused: boolean; notWaited?: string };

type Row = readonly [label: string, count: string, p50?: string, p95?: string];

/** The document of a series: what is run, its progress, and a table of the outcomes of the runs. Plain text. */
export function seriesText(input: RunInput, outcome: SeriesOutcome, state: SeriesState): string {
  const { times, concurrency } = outcome;
  const appName = plainText(input.appName);
  const what =
    concurrency === 1
      ? t('{0}: {1} runs, one after the other', appName, times)
      : t('{0}: {1} runs, {2} at once', appName, times, concurrency);
  const lines = [
    `${what} · ${plainText(input.method)} ${plainText(input.path, 300)}`,
    '',
    ...stateLines(outcome, state),
    '',
    ...aligned(rows(outcome, input.webhook !== false)),
    '',
    t('Times count from the start of a run until its answer was complete, or its delivery arrived.'),
    t('p50 and p95 are those of the nearest rank: of fewer than 20 times, p95 is the longest.'),
  ];
  return `${lines.join('\n')}\n`;
}

/** The progress of a series, in a few words. */
export function progressText(outcome: SeriesOutcome): string {
  return t('{0} of {1} runs have ended', endedOf(outcome), outcome.times);
}

function stateLines(outcome: SeriesOutcome, state: SeriesState): string[] {
  const { times, started, cancelled, interrupted } = outcome;
  if (state.kind === 'running') return [progressText(outcome)];
  if (state.kind === 'waiting') {
    const { deliveries, app } = state.for;
    return deliveries > 0
      ? [t('All runs have ended. Waiting for the deliveries of {0}', deliveries)]
      : [t('All runs have ended. Waiting for the app to answer {0} deliveries', app)];
  }
  const through = endedOf(outcome);
  const { isRefused, notWaited } = state;
  const more = notWaited === undefined ? [] : [notWaited];
  if (interrupted > 0) return [t('Interrupted by a reload after {0} of {1} runs', through, times)];
  if (isRefused && started < times) {
    return [t('Stopped after {0} of {1} runs: the service refuses the token', through, times)];
  }
  if (started < times || cancelled > 0)
    return [t('Cancelled after {0} of {1} runs', through, times), ...more];
  return [t('All {0} runs have ended', times), ...more];
}

/** The number of ended runs that were neither cancelled nor interrupted. */
function endedOf({ answered, failed }: SeriesOutcome): number {
  return answered.count + failed.count;
}

function rows(outcome: SeriesOutcome, isDelivered: boolean): Row[] {
  const { answered, failed, cancelled, interrupted, running, delivered, takenByApp, repeats } = outcome;
  const ifAny = (label: string, count: number): Row[] => (count === 0 ? [] : [[label, String(count)]]);
  const found: Row[] = [
    [t('Outcome'), t('Runs'), 'p50', 'p95'],
    timedRow(t('Answered'), answered),
    ...Object.entries(answered.byStatus).map(([status, timed]) => timedRow(part(status), timed)),
    [t('Failed'), String(failed.count)],
    ...counted(failed.byReason),
    ...ifAny(t('Cancelled'), cancelled),
    ...ifAny(t('Interrupted'), interrupted),
    ...ifAny(t('Running'), running),
  ];
  if (!isDelivered && delivered.count === 0) return found;
  const isHanded =
    Object.values({ ...takenByApp.byStatus, ...takenByApp.byReason }).length + takenByApp.count > 0;
  const verdicts = Object.entries(delivered.byVerdict) as [keyof typeof delivered.byVerdict, number][];
  return [
    ...found,
    timedRow(t('Delivered'), delivered),
    ...verdicts.map(([verdict, count]): Row => [part(verdictText(verdict)), String(count)]),
    [t('Taken by the app'), isHanded ? String(takenByApp.count) : '–'],
    ...counted(takenByApp.byStatus),
    ...counted(takenByApp.byReason),
    [t('Repeats'), String(repeats)],
  ];
}

/** A row for each status or reason. Reasons may contain text of others. */
function counted(counts: Readonly<Record<string, number>>): Row[] {
  return Object.entries(counts).map(([what, count]) => [part(plainText(what)), String(count)]);
}

/** The label of a row that is part of the row above. White space at its start would be drawn as an indentation. */
function part(label: string): string {
  return `· ${label}`;
}

function timedRow(label: string, { count, p50Ms, p95Ms }: Timed): Row {
  const text = (ms: number | undefined): string => (ms === undefined ? '' : durationText(ms));
  return [label, String(count), text(p50Ms), text(p95Ms)];
}

/** Aligns labels to the left and figures to the right. */
function aligned(table: readonly Row[]): string[] {
  const width = (column: number): number => Math.max(...table.map((row) => textWidth(row[column] ?? '')));
  const [labels, ...figures] = [0, 1, 2, 3].map(width);
  return table.map(([label, ...cells]) =>
    [padded(label, labels ?? 0), ...cells.map((cell = '', index) => alignedRight(cell, figures[index] ?? 0))]
      .join('   ')
      .trimEnd(),
  );
}

function alignedRight(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - textWidth(text))) + text;
}
