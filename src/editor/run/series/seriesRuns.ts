import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { atOnce } from '../../../model/async/atOnce.ts';
import { type WaitEnd, waitUntil } from '../../../model/async/waitUntil.ts';
import type { Clock } from '../../../model/processes/clock.ts';
import { type RunInput, type Series, seriesTitle } from '../../../model/runs/run.ts';
import {
  type Awaited,
  isRefused,
  type Pending,
  pendingOf,
  type SeriesOutcome,
  undelivered,
} from '../../../model/runs/series/seriesOutcome.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { UserError } from '../../../model/text/userError.ts';
import { cancellableProgress } from '../../cancellableProgress.ts';
import type { Listener } from '../../listener/feature.ts';
import { type Log, logError } from '../../log.ts';
import { answerUri } from '../answers/answerUri.ts';
import type { RunHistory } from '../history/runHistory.ts';
import type { RunView } from '../history/runView.ts';
import type { PreparedRun, PrepareOptions, Runner } from '../runner.ts';
import type { SeriesTables } from './seriesTables.ts';

export interface SeriesRunsParts {
  runner: Runner;
  view: RunView;
  history: RunHistory;
  tables: SeriesTables;
  listener: Pick<Listener, 'state' | 'onDidChangeState'> & {
    destinations: Pick<Listener['destinations'], 'forwardOf'>;
  };
  clock: Clock;
  log: Log;
}

/** How many runs to make, and how many of them at once. */
export type SeriesSize = Pick<Series, 'times' | 'atOnce'>;

export interface SeriesOptions extends PrepareOptions {
  /** Whether to open no table. */
  quiet?: boolean;
  /** Aborted when the caller cancels. */
  signal?: AbortSignal;
  /** The longest wait for deliveries after all runs have ended, in seconds. */
  waitSeconds: number;
}

/** The result for callers. */
export interface SeriesResult extends SeriesOutcome {
  /** Why deliveries may still arrive, in a sentence; undefined if no more are expected. */
  notWaited?: string;
}

/** Makes the same run many times: prepares and asks once, sends each like a single run, and shows one table. */
export class SeriesRuns {
  readonly #parts: SeriesRunsParts;

  constructor(parts: SeriesRunsParts) {
    this.#parts = parts;
  }

  /** Resolves when all runs and the wait for deliveries have ended; if cancelled, with the results so far. */
  async run(input: RunInput, size: SeriesSize, options: SeriesOptions): Promise<SeriesResult> {
    const { view, clock } = this.#parts;
    const again = (changed: RunInput) => this.run(changed, size, options);
    const prepared = await view.prepare(input, { ...options, times: size.times }, again);
    options.signal?.throwIfAborted();
    const { times } = size;
    const series = { id: randomUUID(), times, atOnce: Math.min(size.atOnce, times), startedAt: clock.now() };
    const abort = new AbortController();
    const cancel = (): void => abort.abort();
    options.signal?.addEventListener('abort', cancel, { once: true });
    const ended = this.#runAll(prepared, series, options, abort.signal);
    view.watch({ id: series.id, cancel }, ended);
    try {
      return await ended;
    } finally {
      options.signal?.removeEventListener('abort', cancel);
    }
  }

  async #runAll(
    prepared: PreparedRun,
    series: Series,
    options: SeriesOptions,
    signal: AbortSignal,
  ): Promise<SeriesResult> {
    const { tables } = this.#parts;
    const input = shownInput(prepared);
    tables.set({ series, input, phase: { kind: 'running' } });
    if (options.quiet !== true) await show(series, input, options.document);
    await this.#send(prepared, series, signal);
    const notWaited = await this.#wait(prepared, series, options.waitSeconds, signal);
    const more = notWaited !== undefined && { notWaited };
    tables.set({ series, input, phase: { kind: 'ended', ...more } });
    return { ...tables.outcome(series), ...more };
  }

  async #send(prepared: PreparedRun, series: Series, signal: AbortSignal): Promise<void> {
    const { times } = series;
    const title = t('Running {0} {1} times', plainText(prepared.input.appName), times);
    await cancellableProgress(title, async (cancelled, report) => {
      const cancelSignal = AbortSignal.any([cancelled, signal]);
      const refused = new AbortController();
      let ended = 0;
      const startSignal = AbortSignal.any([cancelSignal, refused.signal]);
      await atOnce(times, series.atOnce, startSignal, async (number) => {
        await this.#runOnce(prepared, { ...series, number }, cancelSignal);
        report((ended += 1), times);
        if (isRefused(this.#parts.history.ofSeries(series))) refused.abort();
      });
    });
  }

  /** Makes one run. The history records its outcome; its answer is read and discarded. */
  async #runOnce(
    prepared: PreparedRun,
    place: Series & { number: number },
    signal: AbortSignal,
  ): Promise<void> {
    const { runner, log } = this.#parts;
    // One signal per run, so that its listeners are released with it.
    const runSignal = AbortSignal.any([signal]);
    try {
      const { body } = await runner.send(prepared, runSignal, place).answer;
      const chunks = body[Symbol.asyncIterator]();
      while ((await chunks.next()).done !== true);
    } catch (error) {
      if (!runSignal.aborted && !(error instanceof UserError)) logError(log, error);
    }
  }

  /** Waits for the deliveries. @returns why more may still arrive, in a sentence, or undefined if none will */
  async #wait(
    prepared: PreparedRun,
    series: Series,
    seconds: number,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { history, listener, tables, clock } = this.#parts;
    const { webhook, appName } = prepared.input;
    if (webhook === false) return undefined;
    if (webhook !== true) return t('What is delivered elsewhere was not waited for.');
    const awaited: Awaited = {
      deliveries: true,
      app: listener.destinations.forwardOf(appName).kind === 'given',
    };
    const pending = (): Pending => pendingOf(history.ofSeries(series), awaited);
    const hasArrived = (): boolean => countOf(pending()) === 0;
    if (hasArrived()) return undefined;
    if (seconds === 0 || signal.aborted) return t('Their deliveries were not waited for.');
    tables.set({ series, input: shownInput(prepared), phase: { kind: 'waiting', for: awaited } });
    const total = countOf(pending());
    for (const run of undelivered(history.ofSeries(series))) history.setAwaited(run, true);
    const isListenerOff = (): boolean => ['stopped', 'failed'].includes(listener.state.kind);
    const how = await cancellableProgress(t('Waiting for the deliveries'), (cancelled, report) =>
      waitUntil(() => hasArrived() || isListenerOff(), {
        listen: (check) => {
          const changed = (): void => {
            report(total - countOf(pending()), total);
            check();
          };
          const listening = [history.onDidChange(changed), listener.onDidChangeState(check)];
          return () => listening.forEach((one) => void one.dispose());
        },
        clock,
        ms: seconds * 1000,
        signal: AbortSignal.any([cancelled, signal]),
      }),
    );
    for (const run of history.ofSeries(series)) history.setAwaited(run, false);
    return hasArrived() ? undefined : notWaitedText(how, seconds, pending());
  }
}

/** The call as the table shows it: without environment values and passwords. */
function shownInput({ input, kept = input }: PreparedRun): RunInput {
  return kept;
}

function countOf({ deliveries, app }: Pending): number {
  return deliveries + app;
}

function notWaitedText(how: WaitEnd, seconds: number, { deliveries, app }: Pending): string {
  switch (how) {
    case 'there':
      return t('Their deliveries were not waited for: the listener is stopped.');
    case 'aborted':
      return t('Their deliveries were not waited for any longer.');
    case 'late':
      return deliveries > 0
        ? t(
            '{0} had not been delivered {1} seconds later. What still comes is counted here.',
            deliveries,
            seconds,
          )
        : t('The app had not answered {0} deliveries {1} seconds later.', app, seconds);
  }
}

/** Opens the table; beside the document that was run, if there is one. */
async function show(series: Series, { appName }: RunInput, document: vscode.Uri | undefined): Promise<void> {
  const { Active, Beside } = vscode.ViewColumn;
  await vscode.window.showTextDocument(answerUri(series.id, seriesTitle(series, appName)), {
    viewColumn: document === undefined ? Active : Beside,
    preserveFocus: document !== undefined,
    // The table of the next series must not replace this one: users compare the two.
    preview: false,
  });
}
