import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Delivery } from '../../../contract/delivery.ts';
import type { BrokenOff } from '../../../deliveries/listenerProtocol.ts';
import {
  appKey,
  type Run,
  type RunDelivery,
  type RunInput,
  type RunOutcome,
} from '../../../service/runs/run.ts';
import type { AppRef } from '../../../service/projects/project.ts';

/** How many runs of an app are kept. */
const keepPerApp = 50;
/** The longest body that is kept, in characters. A run with a longer one cannot be repeated from the history. */
const keepBody = 64 * 1024;
/** How many repeats are remembered that were counted. */
const keepCounted = 1000;
const saveDelayMs = 500;
const stateKey = 'runs';

/**
 * The runs of each app, newest first, with their deliveries. The id of a run and its delivery may arrive in
 * either order.
 */
export class RunHistory implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #runs = new Map<string, Run[]>();
  /** The ids of repeats that were counted: the listener may tell of one in two ways. */
  readonly #counted = new Set<string>();
  readonly #changed = new vscode.EventEmitter<Run>();
  #saving: NodeJS.Timeout | undefined;
  #hasLeft = false;

  /** Fires when a run is added, changes, or gets its delivery, and once when runs of an app are removed. */
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    for (const run of memento.get<Run[]>(stateKey, [])) {
      if (run.outcome.kind === 'running') run.outcome = { kind: 'interrupted' };
      // The window that waited is gone.
      delete run.awaited;
      delete run.delivery?.isForwarding;
      this.#of(run.input).push(run);
    }
  }

  list(app: AppRef): readonly Run[] {
    return this.#runs.get(appKey(app)) ?? [];
  }

  /** The run with this id. Without an id, the latest run. */
  sent(id?: string): Run | undefined {
    const runs = this.all().sort((one, other) => other.startedAt - one.startedAt);
    return id === undefined ? runs[0] : runs.find((one) => one.id === id);
  }

  /** The run that a delivery belongs to. */
  of(delivery: Delivery): Run | undefined {
    return this.all().find((one) => isOf(delivery, one));
  }

  /** All kept runs, in no particular order. */
  all(): Run[] {
    return [...this.#runs.values()].flat();
  }

  /** @param kept stored in place of what is sent, if it differs: such a run cannot be repeated */
  begin(input: RunInput, startedAt: number, kept = input): Run {
    const { body = '', ...rest } = kept;
    const begun = { id: randomUUID(), startedAt, outcome: { kind: 'running' } } as const;
    const shown = body.length <= keepBody ? kept : rest;
    const run: Run = { ...begun, input: shown, ...(shown !== input && { bodyDropped: true }) };
    const runs = this.#of(input);
    runs.unshift(run);
    runs.splice(keepPerApp);
    this.#announce(run);
    return run;
  }

  /** The head of the answer arrived. */
  answering(run: Run, headAfterMs: number): void {
    run.headAfterMs = headAfterMs;
    this.#announce(run);
  }

  end(run: Run, outcome: RunOutcome): void {
    if (this.#hasLeft) return;
    run.outcome = outcome;
    this.#announce(run);
  }

  /** The wait for the delivery of a run begins or ends. */
  setAwaited(run: Run, isAwaited: boolean): void {
    if (isAwaited === (run.awaited === true)) return;
    if (isAwaited) run.awaited = true;
    else delete run.awaited;
    this.#announce(run);
  }

  /** The run's id became known. */
  identify(run: Run, runId: string): void {
    run.runId = runId;
    this.#announce(run);
  }

  /**
   * A delivery arrived at the listener, or changed.
   * @param isNew false if the delivery arrived before and has changed
   */
  noteDelivery(delivery: Delivery, isNew = true): void {
    const run = this.of(delivery);
    if (run === undefined) return;
    run.runId ??= delivery.runId;
    this.#join(run, delivery, isNew);
    this.#announce(run);
  }

  /** The id of a run became known, and these deliveries that name it have arrived before, the oldest first. */
  arrivedBefore(run: Run, deliveries: readonly Delivery[]): void {
    if (deliveries.length === 0) return;
    for (const delivery of deliveries) {
      // What the handler made of it was told meanwhile, and is newer than what was asked for.
      const isTold = delivery.id === run.delivery?.id && run.delivery.forward !== undefined;
      if (!isTold) this.#join(run, delivery, true);
    }
    this.#announce(run);
  }

  /** A request to the listener broke off. For display only: anybody may have named the run. */
  noteBrokenOff({ runId, bytes, announced }: BrokenOff): void {
    const run = runId === undefined ? undefined : this.all().find((one) => one.runId === runId);
    if (run === undefined) return;
    const times = (run.brokenOff?.times ?? 0) + 1;
    run.brokenOff = { bytes, ...(announced !== undefined && { announced }), times };
    this.#announce(run);
  }

  /** Removes the runs of an app, except those in progress. @returns the removed runs */
  async clear(app: AppRef): Promise<Run[]> {
    const runs = this.#of(app);
    const ended = runs.filter(({ outcome }) => outcome.kind !== 'running');
    runs.splice(0, runs.length, ...runs.filter(({ outcome }) => outcome.kind === 'running'));
    const [any] = ended;
    if (any !== undefined) this.#changed.fire(any);
    await this.#save();
    return ended;
  }

  /** An app got another name: its runs are those of that name now. @returns these runs */
  async rename(from: AppRef, { appName }: AppRef): Promise<Run[]> {
    const runs = this.#of(from).splice(0);
    for (const run of runs) run.input = { ...run.input, appName };
    const all = this.#of({ ...from, appName });
    all.push(...runs);
    all.sort((one, other) => other.startedAt - one.startedAt);
    for (const run of runs.slice(0, 1)) this.#changed.fire(run);
    await this.#save();
    return runs;
  }

  /** Removes all runs, on the disk too. */
  async erase(): Promise<void> {
    clearTimeout(this.#saving);
    const anyOfEachApp = [...this.#runs.values()].flatMap(([run]) => run ?? []);
    this.#runs.clear();
    for (const run of anyOfEachApp) this.#changed.fire(run);
    await this.#save();
  }

  /**
   * Saves the history, since the window is closing. Later changes are ignored: runs in progress are saved as running,
   * although their answers break off now. Resolves when all is saved.
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

  #join(run: Run, delivery: Delivery, isNew: boolean): void {
    const { id, repeatOf } = delivery;
    const counts = isNew && !this.#counted.has(id);
    if (repeatOf !== undefined) this.#counted.add(id);
    const [oldest] = this.#counted;
    if (this.#counted.size > keepCounted && oldest !== undefined) this.#counted.delete(oldest);
    run.delivery = joinDelivery(run.delivery, delivery, counts);
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

/** Whether a delivery names the run, or was joined to it. */
function isOf(delivery: Delivery, run: Run): boolean {
  if (delivery.joinedRun === run.id) return true;
  return delivery.runId === undefined ? run.delivery?.id === delivery.id : run.runId === delivery.runId;
}

/**
 * Keeps one delivery per run, the first, and counts its repeats. A repeat may be reported before the first one. A
 * forgery that came first is replaced by the verified delivery, and one that was made here by the next of these, or by the
 * service's.
 */
function joinDelivery(known: RunDelivery | undefined, delivery: Delivery, isNew: boolean): RunDelivery {
  const { id, verdict, receivedAt, answered, repeatOf, reason, sentAt, madeHere } = delivery;
  const isRepeat = repeatOf !== undefined;
  const isNewer = isNew && known?.madeHere === true && madeHere === true && !isRepeat;
  if (known === undefined || rank(delivery) > rank(known) || isNewer) {
    const came = { id: repeatOf ?? id, verdict, receivedAt, answered, repeats: isRepeat ? 1 : 0 };
    const why = { ...(reason && { reason }), ...(sentAt && { sentAt }), ...(madeHere && { madeHere }) };
    return { ...came, ...why, ...handed(delivery) };
  }
  const { forward, isForwarding, ...rest } = known;
  if (isRepeat) {
    // One that the handler has not got says nothing of it.
    const isHanded = delivery.forward !== undefined || delivery.isForwarding === true;
    const repeats = known.repeats + (isNew ? 1 : 0);
    return { ...rest, ...handed(isHanded ? delivery : { forward, isForwarding }), repeats };
  }
  if (known.id !== id) return known;
  const cameFirst = receivedAt < known.receivedAt && { receivedAt };
  return { ...rest, ...cameFirst, answered, ...(reason && { reason }), ...handed({ forward, ...delivery }) };
}

/** How much a delivery says of its run. */
function rank({ verdict, madeHere }: Pick<Delivery, 'verdict' | 'madeHere'>): number {
  if (verdict !== 'verified') return 0;
  return madeHere === true ? 1 : 2;
}

/** How much of the handler's response is kept with a run, in characters: enough for its reason. */
const keepResponse = 200;

/** How far a delivery got in the handler. */
function handed({
  forward,
  isForwarding,
}: { [Key in 'forward' | 'isForwarding']?: Delivery[Key] | undefined }) {
  const { answer, ...rest } = forward ?? {};
  return {
    ...(forward && { forward: { ...rest, ...(answer && { answer: answer.slice(0, keepResponse) }) } }),
    ...(isForwarding && { isForwarding }),
  } as Pick<Delivery, 'forward' | 'isForwarding'>;
}
