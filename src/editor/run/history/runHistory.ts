import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Delivery, Forward } from '../../../model/deliveries/delivery.ts';
import type { BrokenOff } from '../../../model/processes/listenerProtocol.ts';
import {
  appKey,
  type Run,
  type RunDelivery,
  type RunInput,
  type RunOutcome,
  type Series,
} from '../../../model/runs/run.ts';
import type { AppRef } from '../../projects/feature.ts';

/** How many runs of an app are kept, besides those that were made many times. */
const keepPerApp = 50;
/** And of those: two of the longest series may be under way. */
const keepOfSeries = 200;
/** A larger body is not kept: such a run cannot be run again from the history. */
const keepBody = 64 * 1024;
/** The first of a series has the body of all of them. */
const keepBodyOfSeries = 4 * 1024;
/** Deliveries of runs that are not known yet: the delivery may come before the run's answer. */
const keepEarly = 1000;
const saveDelayMs = 500;
const stateKey = 'runs';

/**
 * The runs of each app, newest first, and what was delivered for them. A run and its delivery may come in
 * either order.
 */
export class RunHistory implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #runs = new Map<string, Run[]>();
  readonly #early = new Map<string, RunDelivery>();
  readonly #changed = new vscode.EventEmitter<Run>();
  #saving: NodeJS.Timeout | undefined;
  #hasLeft = false;

  /** A run began, went on, or its delivery came. */
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    for (const run of memento.get<Run[]>(stateKey, [])) {
      if (run.outcome.kind === 'running') run.outcome = { kind: 'interrupted' };
      this.#of(run.input).push(run);
    }
  }

  list(app: AppRef): readonly Run[] {
    return this.#runs.get(appKey(app)) ?? [];
  }

  /** The kept runs of a series, newest first. */
  ofSeries({ id }: Pick<Series, 'id'>): Run[] {
    return this.all().filter(({ series }) => series?.id === id);
  }

  /**
   * The run of that id or of that series, else the last run. Of a series whose body is large it is the one that has the
   * body.
   */
  sent(id?: string): Run | undefined {
    const runs = this.all().sort((one, other) => other.startedAt - one.startedAt);
    const run = id === undefined ? runs[0] : runs.find((one) => one.id === id || one.series?.id === id);
    if (run?.bodyDropped === undefined || run.series === undefined) return run;
    return this.ofSeries(run.series).find(({ bodyDropped }) => bodyDropped === undefined) ?? run;
  }

  /** Every kept run, in no order that matters. */
  all(): Run[] {
    return [...this.#runs.values()].flat();
  }

  /** @param kept what is kept in place of what is sent: it cannot be run again as it was */
  begin(input: RunInput, startedAt: number, series?: Run['series'], kept = input): Run {
    const { body = '', ...rest } = kept;
    const part = series && { series };
    const begun = { id: randomUUID(), ...part, startedAt, outcome: { kind: 'running' } } as const;
    const most = series === undefined || series.number === 1 ? keepBody : keepBodyOfSeries;
    const shown = body.length <= most ? kept : rest;
    const run: Run = { ...begun, input: shown, ...(shown !== input && { bodyDropped: true }) };
    const runs = this.#of(input);
    runs.unshift(run);
    letGo(runs);
    this.#announce(run);
    return run;
  }

  /** The answer began. */
  answering(run: Run, headAfterMs: number): void {
    run.headAfterMs = headAfterMs;
    this.#announce(run);
  }

  end(run: Run, outcome: RunOutcome): void {
    if (this.#hasLeft) return;
    run.outcome = outcome;
    this.#announce(run);
  }

  /** The answer told the run's id. */
  identify(run: Run, runId: string): void {
    run.runId = runId;
    const early = this.#early.get(runId);
    if (early !== undefined) {
      this.#early.delete(runId);
      run.delivery = early;
    }
    this.#announce(run);
  }

  /**
   * Something arrived at the listener.
   * @param isNew false where it arrived before, and more is known of it
   */
  noteDelivery(delivery: Delivery, isNew = true): void {
    const run = this.all().find((one) => isOf(delivery, one));
    if (run !== undefined) {
      run.delivery = joinDelivery(run.delivery, delivery, isNew);
      this.#announce(run);
      return;
    }
    const { runId } = delivery;
    if (runId === undefined) return;
    this.#early.set(runId, joinDelivery(this.#early.get(runId), delivery, isNew));
    for (const [oldest] of this.#early) {
      if (this.#early.size <= keepEarly) break;
      this.#early.delete(oldest);
    }
  }

  /** Something broke off on its way to the listener. It is for the eye alone: anybody may have named the run. */
  noteBrokenOff({ runId, bytes, announced }: BrokenOff): void {
    const run = runId === undefined ? undefined : this.all().find((one) => one.runId === runId);
    if (run === undefined) return;
    const times = (run.brokenOff?.times ?? 0) + 1;
    run.brokenOff = { bytes, ...(announced !== undefined && { announced }), times };
    this.#announce(run);
  }

  /** A delivery that was found to be of that run by other means than the run's id. */
  join(run: Run, delivery: Delivery): void {
    run.delivery = joinDelivery(run.delivery, delivery, true);
    this.#announce(run);
  }

  /** Forgets the runs of an app, but for those under way. @returns which ones that were */
  async clear(app: AppRef): Promise<Run[]> {
    const runs = this.#of(app);
    const ended = runs.filter(({ outcome }) => outcome.kind !== 'running');
    runs.splice(0, runs.length, ...runs.filter(({ outcome }) => outcome.kind === 'running'));
    const [any] = ended;
    if (any !== undefined) this.#changed.fire(any);
    await this.#save();
    return ended;
  }

  /** Forgets all runs, those of the disk included. */
  async erase(): Promise<void> {
    clearTimeout(this.#saving);
    this.#runs.clear();
    this.#early.clear();
    await this.#save();
  }

  /**
   * Ends it with its window: what runs has not ended, though its answer will break off now.
   * Resolves when all is saved.
   */
  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    clearTimeout(this.#saving);
    await this.#save();
  }

  dispose(): void {
    void this.leave();
    this.#changed.dispose();
  }

  #of(app: AppRef): Run[] {
    const key = appKey(app);
    const runs = this.#runs.get(key) ?? [];
    this.#runs.set(key, runs);
    return runs;
  }

  #announce(run: Run): void {
    if (this.#hasLeft) return;
    this.#saving ??= setTimeout(() => void this.#save(), saveDelayMs);
    this.#changed.fire(run);
  }

  async #save(): Promise<void> {
    this.#saving = undefined;
    await this.#memento.update(stateKey, this.all());
  }
}

/** One that names no run may have been joined to one all the same. */
function isOf(delivery: Delivery, run: Run): boolean {
  return delivery.runId === undefined ? run.delivery?.id === delivery.id : run.runId === delivery.runId;
}

/**
 * One delivery a run, the first: repeats are counted, which may be told before it, and a forgery that came first gives
 * way to the genuine one.
 */
function joinDelivery(known: RunDelivery | undefined, delivery: Delivery, isNew: boolean): RunDelivery {
  const { id, verdict, receivedAt, repeatOf, forward } = delivery;
  const handed = forward && { forward: forwardOf(forward) };
  const isRepeat = repeatOf !== undefined;
  if (known === undefined || (known.verdict !== 'verified' && verdict === 'verified')) {
    return { id: repeatOf ?? id, verdict, receivedAt, repeats: isRepeat ? 1 : 0, ...handed };
  }
  if (isRepeat) return { ...known, repeats: known.repeats + (isNew ? 1 : 0), ...handed };
  if (known.id !== id) return known;
  const cameFirst = receivedAt < known.receivedAt && { receivedAt };
  return { ...known, ...cameFirst, ...handed };
}

function forwardOf({ status, error }: Forward): Pick<Forward, 'status' | 'error'> {
  return { ...(status !== undefined && { status }), ...(error !== undefined && { error }) };
}

/** Many runs at once push out none that were made one by one. */
function letGo(runs: Run[]): void {
  let single = 0;
  let ofSeries = 0;
  const kept = runs.filter(({ series }) =>
    series === undefined ? (single += 1) <= keepPerApp : (ofSeries += 1) <= keepOfSeries,
  );
  runs.splice(0, runs.length, ...kept);
}
