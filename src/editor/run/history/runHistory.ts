import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Delivery } from '../../../contract/delivery.ts';
import type { BrokenOff, Refused } from '../../../deliveries/listenerProtocol.ts';
import {
  appKey,
  keptDeliveryOf,
  type Run,
  type RunInput,
  type RunOutcome,
} from '../../../service/runs/run.ts';
import { Turns } from '../../../shared/async/turns.ts';
import type { AppRef } from '../../../service/projects/project.ts';
import { isOf, joinDelivery } from './joinDelivery.ts';
import type { RunFiles } from './runFiles.ts';
import { type Windows, windowsOfThisMachine } from './windows.ts';

/** How many runs of an app are kept. */
const keepPerApp = 50;
/** The longest body that is kept, in characters. A run with a longer one cannot be repeated from the history. */
const keepBody = 64 * 1024;
/** How many repeats are remembered that were counted. */
const keepCounted = 1000;
/** How many refused deliveries are remembered whose run is not known yet. */
const keepRefused = 20;
const saveDelayMs = 500;
/** How often it is looked whether the windows of others' runs are still there, in milliseconds. */
const lookEveryMs = 5000;

/** Where the runs are kept, for all windows of a folder. */
type KeptRuns = Pick<RunFiles, 'all' | 'read' | 'follow' | 'save' | 'remove' | 'dispose'>;

/**
 * The runs of each app, newest first, with their deliveries. The id of a run and its delivery may arrive in
 * either order. A run that goes on is written by its window alone; other windows follow what it writes.
 */
export class RunHistory implements vscode.Disposable {
  readonly #kept: KeptRuns;
  readonly #windows: Windows;
  readonly #runs = new Map<string, Run[]>();
  /** The ids of the runs that this window made, or waits on for. */
  readonly #own = new Set<string>();
  /** What is to be saved. */
  readonly #unsaved = new Set<Run>();
  /** The ids of repeats that were counted: the listener may tell of one in two ways. */
  readonly #counted = new Set<string>();
  /** The last deliveries that were too large, and came before the id of their run was known. */
  #tooLarge: Refused[] = [];
  readonly #changed = new vscode.EventEmitter<Run>();
  /** The deliveries that were on their way to the handler when the runs were read. */
  readonly onTheirWay: readonly string[];
  #saving: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #writing = new Set<Run>();
  readonly #turns = new Turns();
  #hasLeft = false;

  /** Fires when a run is added, changes, gets its delivery, or is removed. */
  readonly onDidChange = this.#changed.event;

  /** @param earlier what versions before have kept in the state of the editor */
  constructor(kept: KeptRuns, earlier: readonly Run[] = [], windows: Windows = windowsOfThisMachine) {
    this.#kept = kept;
    this.#windows = windows;
    const runs = [...earlier, ...kept.all()];
    this.onTheirWay = runs.flatMap(({ delivery }) => (delivery?.isForwarding === true ? [delivery.id] : []));
    for (const run of runs) {
      // Whether it is so still is told once the window is attached to the listener.
      delete run.delivery?.isForwarding;
      // A process of before may have had the number of this one.
      if (run.window === windows.own) delete run.window;
      this.#insert(run);
    }
    for (const run of earlier) this.#announce(run);
    this.#takeOver();
    kept.follow((id) => this.#read(id));
  }

  /** Whether this window made the run, or waits on for its delivery. */
  isOwn({ id }: Run): boolean {
    return this.#own.has(id);
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

  /**
   * @param more `kept` is stored in place of what is sent, if it differs: such a run cannot be repeated; the token of
   * `serviceAccountId` is sent; `listenerPort` is where on this machine its delivery goes
   */
  begin(
    input: RunInput,
    startedAt: number,
    {
      kept = input,
      serviceAccountId,
      listenerPort,
    }: { kept?: RunInput } & Pick<Run, 'serviceAccountId' | 'listenerPort'> = {},
  ): Run {
    const { body = '', ...rest } = kept;
    const begun = { id: randomUUID(), startedAt, outcome: { kind: 'running' } } as const;
    const shown = body.length <= keepBody ? kept : rest;
    const run: Run = {
      ...begun,
      window: this.#windows.own,
      input: shown,
      ...(shown !== input && { bodyDropped: true }),
      ...(serviceAccountId !== undefined && { serviceAccountId }),
      ...(listenerPort !== undefined && { listenerPort }),
    };
    this.#own.add(run.id);
    this.#insert(run);
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
    delete run.window;
    this.#announce(run);
  }

  /** The wait for the delivery of a run begins or ends. @param notDelivered why it ends, if none can arrive any more */
  setAwaited(run: Run, isAwaited: boolean, notDelivered?: string): void {
    if (this.#hasLeft || (isAwaited === (run.awaited === true) && notDelivered === undefined)) return;
    delete run.awaited;
    delete run.notDelivered;
    delete run.window;
    if (notDelivered !== undefined) run.notDelivered = notDelivered;
    if (isAwaited) Object.assign(run, { awaited: true, window: this.#windows.own });
    this.#announce(run);
  }

  /** The run's id became known. */
  identify(run: Run, runId: string): void {
    run.runId = runId;
    const before = this.#tooLarge.find((one) => one.runId === runId);
    if (before !== undefined) this.noteTooLarge(before);
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

  /** The listener keeps no delivery any more. What came of them stays. */
  forgetDeliveries(): void {
    for (const run of this.all()) {
      const delivery = keptDeliveryOf(run);
      if (delivery === undefined) continue;
      delivery.isRemoved = true;
      this.#announce(run);
    }
  }

  /** A request to the listener broke off. For display only: anybody may have named the run. */
  noteBrokenOff({ runId, bytes, announced, wasLate }: BrokenOff): void {
    const run = runId === undefined ? undefined : this.all().find((one) => one.runId === runId);
    if (run === undefined) return;
    const times = (run.brokenOff?.times ?? 0) + 1;
    run.brokenOff = {
      bytes,
      ...(announced !== undefined && { announced }),
      ...(wasLate && { wasLate }),
      times,
    };
    this.#announce(run);
  }

  /** The listener refused a delivery that is too large. For display only, as above. */
  noteTooLarge(refused: Refused): void {
    const { runId, mostBytes } = refused;
    if (runId === undefined || mostBytes === undefined) return;
    const run = this.all().find((one) => one.runId === runId);
    if (run === undefined) {
      this.#tooLarge = [...this.#tooLarge, refused].slice(-keepRefused);
      return;
    }
    run.largerThan = mostBytes;
    this.#announce(run);
  }

  /** Removes the runs of an app, except those in progress. @returns the removed runs */
  async clear(app: AppRef): Promise<Run[]> {
    const runs = this.#of(app);
    const ended = runs.filter(({ outcome }) => outcome.kind !== 'running');
    runs.splice(0, runs.length, ...runs.filter(({ outcome }) => outcome.kind === 'running'));
    for (const run of ended) this.#changed.fire(run);
    await this.#remove(ended);
    return ended;
  }

  /** An app got another name: its runs are those of that name now. @returns these runs */
  async rename(from: AppRef, { appName }: AppRef): Promise<Run[]> {
    const runs = this.#of(from).splice(0);
    for (const run of runs) {
      run.input = { ...run.input, appName };
      this.#unsaved.add(run);
      this.#insert(run);
    }
    for (const run of runs.slice(0, 1)) this.#changed.fire(run);
    await this.#save();
    return runs;
  }

  /** Removes all runs, on the disk too. */
  async erase(): Promise<void> {
    const all = this.all();
    this.#runs.clear();
    for (const run of all) this.#changed.fire(run);
    await this.#remove(all);
  }

  /**
   * Saves the history, since the window is closing: its runs in progress are interrupted. Later changes are ignored.
   * Resolves when all is saved.
   */
  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    for (const run of this.all().filter(({ window }) => window === this.#windows.own)) this.#interrupt(run);
    this.#hasLeft = true;
    clearTimeout(this.#looking);
    await this.#save();
  }

  dispose(): void {
    void this.leave();
    this.#kept.dispose();
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
    // One that goes on in another window is written by that; one that was removed, by none.
    const isOfOther = run.window !== undefined && run.window !== this.#windows.own;
    if (!isOfOther && this.list(run.input).includes(run)) {
      this.#unsaved.add(run);
      this.#saving ??= setTimeout(() => void this.#save(), saveDelayMs);
    }
    this.#changed.fire(run);
  }

  /** One after the other: what is being written counts as unsaved, so that nothing older is read in its place. */
  #save(): Promise<void> {
    return this.#turns.next(async () => {
      clearTimeout(this.#saving);
      this.#saving = undefined;
      this.#writing = new Set(this.#unsaved);
      this.#unsaved.clear();
      await Promise.all([...this.#writing].map((run) => this.#kept.save(run)));
      this.#writing = new Set();
    });
  }

  async #remove(runs: readonly Run[]): Promise<void> {
    for (const run of runs) this.#unsaved.delete(run);
    await this.#kept.remove(runs.map(({ id }) => id));
  }

  /** Puts a run among those of its app, of which the oldest has to go if there are too many. */
  #insert(run: Run): void {
    const runs = this.#of(run.input);
    const at = runs.findIndex(({ startedAt }) => startedAt <= run.startedAt);
    runs.splice(at < 0 ? runs.length : at, 0, run);
    const old = runs.splice(keepPerApp);
    if (old.length > 0) void this.#remove(old);
  }

  /** A window has written the run, or removed it. */
  #read(id: string): void {
    const known = this.all().find((one) => one.id === id);
    if (this.#hasLeft || (known && this.#isNewerHere(known))) return;
    const run = this.#kept.read(id);
    if (JSON.stringify(run) === JSON.stringify(known)) return;
    const now = known ?? run;
    if (now === undefined) return;
    if (known !== undefined) {
      const runs = this.#of(known.input);
      runs.splice(runs.indexOf(known), 1);
      delete known.awaited;
      delete known.notDelivered;
      delete known.window;
    }
    if (run !== undefined) {
      // It stays the same object: what shows it has it.
      this.#insert(Object.assign(now, run));
      this.#takeOver();
    }
    this.#changed.fire(now);
  }

  #isNewerHere(run: Run): boolean {
    return this.#unsaved.has(run) || this.#writing.has(run) || run.window === this.#windows.own;
  }

  /** Takes over the runs whose windows are gone: one that went on is interrupted, a delivery is waited for here. */
  #takeOver(): void {
    let areOthersThere = false;
    for (const run of this.all()) {
      const { window, awaited, outcome } = run;
      const goesOn = awaited === true || outcome.kind === 'running';
      if (!goesOn || window === this.#windows.own) continue;
      if (window !== undefined && this.#windows.isThere(window)) {
        areOthersThere = true;
        continue;
      }
      this.#interrupt(run);
      if (awaited === true) {
        run.window = this.#windows.own;
        this.#own.add(run.id);
      }
      this.#announce(run);
    }
    clearTimeout(this.#looking);
    if (areOthersThere) this.#looking = setTimeout(() => this.#takeOver(), lookEveryMs);
  }

  #interrupt(run: Run): void {
    delete run.window;
    if (run.outcome.kind === 'running') run.outcome = { kind: 'interrupted' };
    this.#unsaved.add(run);
  }
}
