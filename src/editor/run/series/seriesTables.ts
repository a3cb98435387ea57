import * as vscode from 'vscode';
import type { RunInput, Series } from '../../../model/runs/run.ts';
import {
  type Awaited,
  isRefused,
  pendingOf,
  seriesOutcome,
  type SeriesOutcome,
} from '../../../model/runs/series/seriesOutcome.ts';
import { progressText, seriesText, type SeriesState } from '../../../model/runs/series/seriesText.ts';
import { t } from '../../../model/text/l10n.ts';
import { clicked } from '../../commands.ts';
import { commandIds } from '../../ids.ts';
import type { AnswerContent } from '../answers/answerDocuments.ts';
import type { RunHistory } from '../history/runHistory.ts';

/** The phase of a series in this window. */
export type SeriesPhase =
  | { kind: 'running' }
  | { kind: 'waiting'; for: Awaited }
  /** `notWaited`: why deliveries may still arrive, in a sentence. */
  | { kind: 'ended'; notWaited?: string };

/** The state of a series, apart from its runs, which the history keeps. */
interface Known {
  series: Series;
  input: RunInput;
  phase: SeriesPhase;
}

/** How many series of this window are remembered, each with its phase; older ones are dropped. */
const maxKnown = 20;

/** The tables of series. Each is computed from the run history whenever it is shown. */
export class SeriesTables implements vscode.Disposable {
  readonly #history: RunHistory;
  readonly #known = new Map<string, Known>();
  readonly #changed = new vscode.EventEmitter<string>();
  /** Fires with the id of a series that has changed. */
  readonly onDidChange = this.#changed.event;

  constructor(history: RunHistory) {
    this.#history = history;
  }

  set(known: Known): void {
    const { id } = known.series;
    this.#known.delete(id);
    this.#known.set(id, known);
    for (const [oldest] of this.#known) if (this.#known.size > maxKnown) this.#known.delete(oldest);
    this.#changed.fire(id);
  }

  outcome(series: Series): SeriesOutcome {
    return seriesOutcome(series, this.#history.ofSeries(series));
  }

  /** The content of the document of a series; undefined if it has ended and none of its runs is kept. */
  find(id: string): AnswerContent | undefined {
    const runs = this.#history.ofSeries({ id });
    const [{ series, input } = {}] = runs;
    const known = this.#known.get(id) ?? (series && input && { series, input, phase: { kind: 'ended' } });
    // The runs were removed from the history.
    if (known === undefined || (runs.length === 0 && known.phase.kind === 'ended')) return undefined;
    const outcome = seriesOutcome(known.series, runs);
    const state = stateOf(known.phase);
    return { text: seriesText(known.input, outcome, state), lenses: lenses(known.input, outcome, state) };

    function stateOf(phase: SeriesPhase): SeriesState {
      if (phase.kind === 'waiting') return { kind: 'waiting', for: pendingOf(runs, phase.for) };
      return phase.kind === 'ended' ? { ...phase, isRefused: isRefused(runs) } : phase;
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** The links at the top: the actions that fit the current state of the series. */
function lenses(input: RunInput, outcome: SeriesOutcome, state: SeriesState): vscode.Command[] {
  const { id, times, concurrency, delivered } = outcome;
  const found: vscode.Command[] = [];
  const add = (command: string, title: string, argument: object = { id }): void => {
    found.push({ command, title, arguments: clicked(argument) });
  };
  if (state.kind === 'running') {
    add(commandIds.cancelRun, `$(stop-circle) ${t('Cancel')} · ${progressText(outcome)}`);
  }
  if (state.kind === 'waiting') add(commandIds.cancelRun, `$(sync~spin) ${t('Stop Waiting')}`);
  if (state.kind === 'ended') {
    if (state.isRefused) {
      add(commandIds.setToken, `$(key) ${t('Set Token')}`, { projectId: input.projectId });
    }
    const title = `$(debug-restart) ${t('Run {0} Times Again', times)}`;
    add(commandIds.runManyTimes, title, { id, times, concurrency });
  }
  if (delivered.count > 0) add(commandIds.showDeliveriesOfRuns, t('Show Deliveries of These Runs'));
  return found;
}
