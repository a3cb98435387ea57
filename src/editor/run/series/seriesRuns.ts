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

/** How often, and how many at once. */
export type SeriesSize = Pick<Series, 'times' | 'atOnce'>;

export interface SeriesOptions extends PrepareOptions {
  /** Opens no table. */
  quiet?: boolean;
  /** Whoever called has given up. */
  signal?: AbortSignal;
  /** How long deliveries are waited for at most, once all runs have ended. */
  waitSeconds: number;
}

/** What callers are given. */
export interface SeriesResult extends SeriesOutcome {
  /** Why deliveries may still come. */
  notWaited?: string;
}

/** Makes the same run many times: prepared and asked for once, sent like any other, told in one table. */
export class SeriesRuns {
  readonly #parts: SeriesRunsParts;

  constructor(parts: SeriesRunsParts) {
    this.#parts = parts;
  }

  /** Resolves when nothing is waited for any more; also where it was cancelled, with what was done by then. */
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
    const ended = this.#all(prepared, series, options, abort.signal);
    view.watch({ id: series.id, cancel }, ended);
    try {
      return await ended;
    } finally {
      options.signal?.removeEventListener('abort', cancel);
    }
  }

  async #all(
    prepared: PreparedRun,
    series: Series,
    options: SeriesOptions,
    signal: AbortSignal,
  ): Promise<SeriesResult> {
    const { tables } = this.#parts;
    const input = told(prepared);
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
    await cancellableProgress(title, async (cancelled, tell) => {
      const cancelledAnyhow = AbortSignal.any([cancelled, signal]);
      const refused = new AbortController();
      let ended = 0;
      const begins = AbortSignal.any([cancelledAnyhow, refused.signal]);
      await atOnce(times, series.atOnce, begins, async (number) => {
        await this.#one(prepared, { ...series, number }, cancelledAnyhow);
        tell((ended += 1), times);
        if (isRefused(this.#parts.history.ofSeries(series))) refused.abort();
      });
    });
  }

  /** One run. How it went is in the history; nothing of its answer is kept in memory. */
  async #one(prepared: PreparedRun, place: Series & { number: number }, signal: AbortSignal): Promise<void> {
    const { runner, log } = this.#parts;
    // A signal of its own: what listens to it goes with it.
    const own = AbortSignal.any([signal]);
    try {
      const { body } = await runner.send(prepared, own, place).answer;
      const chunks = body[Symbol.asyncIterator]();
      while ((await chunks.next()).done !== true);
    } catch (error) {
      if (!own.aborted && !(error instanceof UserError)) logError(log, error);
    }
  }

  /** Waits for what the runs have delivered. @returns why more may come, in a sentence; undefined where all is there */
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
    const isThere = (): boolean => countOf(pending()) === 0;
    if (isThere()) return undefined;
    if (seconds === 0 || signal.aborted) return t('Their deliveries were not waited for.');
    tables.set({ series, input: told(prepared), phase: { kind: 'waiting', for: awaited } });
    const all = countOf(pending());
    const isOff = (): boolean => ['stopped', 'failed'].includes(listener.state.kind);
    const how = await cancellableProgress(t('Waiting for the deliveries'), (cancelled, tell) =>
      waitUntil(() => isThere() || isOff(), {
        listen: (look) => {
          const changed = (): void => {
            tell(all - countOf(pending()), all);
            look();
          };
          const listening = [history.onDidChange(changed), listener.onDidChangeState(look)];
          return () => listening.forEach((one) => void one.dispose());
        },
        clock,
        ms: seconds * 1000,
        signal: AbortSignal.any([cancelled, signal]),
      }),
    );
    return isThere() ? undefined : notWaitedText(how, seconds, pending());
  }
}

/** What the table tells of the call: no value of the environment and no password. */
function told({ input, kept = input }: PreparedRun): RunInput {
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

/** Opens the table, beside what it was run from where that is a document. */
async function show(series: Series, { appName }: RunInput, document: vscode.Uri | undefined): Promise<void> {
  const { Active, Beside } = vscode.ViewColumn;
  await vscode.window.showTextDocument(answerUri(series.id, seriesTitle(series, appName)), {
    viewColumn: document === undefined ? Active : Beside,
    preserveFocus: document !== undefined,
    // The table of the next series does not take its place: two are compared.
    preview: false,
  });
}
