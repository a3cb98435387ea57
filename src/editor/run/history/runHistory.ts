import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Delivery } from '../../../model/deliveries/delivery.ts';
import type { BrokenOff } from '../../../model/processes/listenerProtocol.ts';
import {
  appKey,
  type Run,
  type RunDelivery,
  type RunInput,
  type RunOutcome,
} from '../../../model/runs/run.ts';
import type { AppRef } from '../../projects/feature.ts';

/** How many runs of an app are kept. */
const keepPerApp = 50;
/** A larger body is not kept: such a run cannot be run again from the history. */
const keepBody = 64 * 1024;
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

  /** Every kept run, in no order that matters. */
  all(): Run[] {
    return [...this.#runs.values()].flat();
  }

  /** @param kept what is kept in place of what is sent: it cannot be run again as it was */
  begin(input: RunInput, startedAt: number, kept?: RunInput): Run {
    const { body = '', ...rest } = kept ?? input;
    const begun = { id: randomUUID(), startedAt, outcome: { kind: 'running' } } as const;
    const shown = body.length <= keepBody ? (kept ?? input) : rest;
    const run: Run = { ...begun, input: shown, ...(shown !== input && { bodyDropped: true }) };
    const runs = this.#of(input);
    runs.unshift(run);
    runs.splice(keepPerApp);
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

  /** Something arrived at the listener. */
  noteDelivery(delivery: Delivery): void {
    if (delivery.runId === undefined) return;
    const run = this.all().find(({ runId }) => runId === delivery.runId);
    const joined = joinDelivery(run?.delivery ?? this.#early.get(delivery.runId), delivery);
    if (run !== undefined) {
      run.delivery = joined;
      this.#announce(run);
      return;
    }
    this.#early.set(delivery.runId, joined);
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
    run.delivery = joinDelivery(run.delivery, delivery);
    this.#announce(run);
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

/** One delivery a run: repeats are counted, and a forgery that came first gives way to the genuine one. */
function joinDelivery(known: RunDelivery | undefined, delivery: Delivery): RunDelivery {
  const { id, verdict, receivedAt } = delivery;
  if (known === undefined || (known.verdict !== 'verified' && verdict === 'verified')) {
    return { id, verdict, receivedAt, repeats: 0 };
  }
  return delivery.repeatOf === undefined ? known : { ...known, repeats: known.repeats + 1 };
}
