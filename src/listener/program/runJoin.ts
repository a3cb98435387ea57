import type { Delivery } from '../../contract/delivery.ts';
import type { NotedRun } from '../../deliveries/listenerProtocol.ts';
import { fingerprintsIn } from '../../deliveries/answerFingerprint.ts';
import type { KeptDelivery } from '../../deliveries/keptDelivery.ts';
import type { DeliveryStore } from '../store/deliveryStore.ts';

/** The maximum number of ended runs, and of deliveries, that wait for each other. */
const mostWaiting = 100;
/** The maximum number of runs that have not ended. */
const mostRunning = 1000;
/** The maximum number of joined deliveries whose repeats are still recognised. */
const mostJoined = 1000;
/** How long after its end a cancelled or failed run may still be delivered, in milliseconds. */
const unansweredMs = 15 * 60_000;

type JoinedStore = Pick<DeliveryStore, 'find' | 'kept' | 'note' | 'noteRun' | 'ofRun'>;

/** A run that waits for its delivery. */
interface WaitingRun extends NotedRun {
  /** Who noted it. */
  by: object;
  /** When it ended without an answer, in Unix milliseconds. */
  endedAt?: number;
  isJoined?: true;
}

/** A delivery that waits for its run. */
interface WaitingDelivery {
  /** Those of the answers that it may contain, once they were needed. */
  fingerprints?: ReadonlySet<string>;
}

/**
 * Joins the runs of all windows to their deliveries. If both name the id of the run, that alone joins them. Else it is
 * the app's answer, which the delivery contains, or the run id that the answer names and that the delivery has as its
 * request id. Only unambiguous pairs are joined: the delivery is verified and arrived after the run began, no other
 * run has the same answer, and no run of the same app whose answer is not known waits for a delivery.
 */
export class RunJoin {
  readonly #store: JoinedStore;
  readonly #now: () => number;
  /** By Runhook's own id, those noted last at the end. */
  readonly #runs = new Map<string, WaitingRun>();
  /** Verified deliveries by their id, in the order of their arrival. */
  readonly #deliveries = new Map<string, WaitingDelivery>();
  /** Runhook's own id of the run by the id of its delivery. */
  readonly #joined = new Map<string, string>();
  #joining = Promise.resolve();
  #isClosed = false;

  /** @param now a clock in Unix milliseconds */
  constructor(store: JoinedStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Notes a run, or what has become known of it.
   * @param by the window that made the run
   * @returns the deliveries that name the run and have arrived before, the oldest first
   */
  noteRun(noted: NotedRun, by: object): Delivery[] {
    const known = this.#runs.get(noted.id);
    const endedAt = noted.answer?.kind === 'missing' ? this.#now() : undefined;
    const run: WaitingRun = { ...known, ...noted, by, ...(endedAt !== undefined && { endedAt }) };
    const { id, runId, appName, startedAt, answer } = run;
    if (runId !== undefined && runId !== known?.runId) this.#store.noteRun({ runId, appName, startedAt });
    // Its delivery goes elsewhere, or nothing but its id can tell which one it is.
    const isOver =
      answer === undefined || (answer.kind === 'given' && runId === undefined && !answer.fingerprint);
    this.#runs.delete(id);
    if (!isOver) this.#runs.set(id, run);
    dropOldest(this.#runs, mostRunning);
    const ended = [...this.#runs].filter(([, one]) => one.answer?.kind !== 'awaited');
    for (const [old] of ended.slice(0, -mostWaiting)) this.#runs.delete(old);
    this.#joinSoon();
    return runId === undefined || runId === known?.runId ? [] : this.#store.ofRun(runId, startedAt);
  }

  /** A window has left: nobody tells any longer what becomes of its runs. */
  leave(by: object): void {
    for (const run of this.#runs.values()) {
      if (run.by !== by || run.answer?.kind !== 'awaited') continue;
      run.answer = { kind: 'missing' };
      run.endedAt = this.#now();
    }
  }

  /** A delivery was stored. */
  arrived({
    id,
    verdict,
    repeatOf,
    madeOf,
  }: Pick<KeptDelivery, 'id' | 'verdict' | 'repeatOf' | 'madeOf'>): void {
    // What was made here has its run, and leaves the one of the service to be joined.
    if (verdict !== 'verified' || repeatOf !== undefined || madeOf !== undefined) return;
    this.#deliveries.set(id, {});
    dropOldest(this.#deliveries, mostWaiting);
    if (this.#runs.size > 0) this.#joinSoon();
  }

  /** Runhook's own id of the run that a delivery, or the one that it repeats, was joined to. */
  runOf({ id, repeatOf = id }: Pick<Delivery, 'id' | 'repeatOf'>): string | undefined {
    return this.#joined.get(repeatOf);
  }

  /** Resolves once all is joined that can be by now. */
  settled(): Promise<void> {
    return this.#joining;
  }

  /** Call this before the store is closed. */
  close(): void {
    this.#isClosed = true;
  }

  /** Joins what can be joined, a delivery a turn: answers to others come first. */
  #joinSoon(): void {
    this.#joining = this.#joining.then(async () => {
      for (const [id, waiting] of this.#deliveries) {
        await new Promise((resolve) => setImmediate(resolve));
        if (this.#isClosed) return;
        this.#tryJoin(id, waiting);
      }
    });
  }

  #tryJoin(id: string, waiting: WaitingDelivery): void {
    const delivery = this.#store.find(id);
    if (delivery === undefined) return;
    const { runId, requestId, receivedAt } = delivery;
    const open = [...this.#runs.values()].filter(({ isJoined }) => isJoined !== true);
    const ofId = open.find((run) => run.runId !== undefined && run.runId === (runId ?? requestId));
    if (ofId !== undefined && runId !== undefined) {
      // The store has joined them.
      ofId.isJoined = true;
      this.#deliveries.delete(id);
      return;
    }
    if (ofId !== undefined && ofId.startedAt <= Date.parse(receivedAt)) {
      this.#join(ofId, delivery);
      return;
    }
    const possible = open.filter((run) => this.#isPossible(run, delivery, waiting));
    const [run, ...others] = possible.filter(({ answer }) => answer?.kind === 'given');
    if (run === undefined || others.length > 0) return;
    const unanswered = possible.filter(
      ({ appName, answer }) => appName === run.appName && answer?.kind !== 'given',
    );
    if (this.#haveTheirs(unanswered, run.startedAt)) this.#join(run, delivery);
  }

  /** Whether all of these runs of an app have ended, and a delivery for each arrived before the next run began. */
  #haveTheirs(runs: readonly WaitingRun[], before: number): boolean {
    if (runs.length === 0) return true;
    const arrived = [...this.#deliveries.keys()]
      .map((id) => Date.parse(this.#store.find(id)?.receivedAt ?? ''))
      .filter((at) => at < before);
    return runs
      .toSorted((one, other) => other.startedAt - one.startedAt)
      .every(
        ({ answer, startedAt }, index) =>
          answer?.kind === 'missing' && arrived.filter((at) => at >= startedAt).length > index,
      );
  }

  #isPossible(run: WaitingRun, delivery: Delivery, waiting: WaitingDelivery): boolean {
    const at = Date.parse(delivery.receivedAt);
    // If both have a run id, only that id joins them.
    if ((run.runId !== undefined && delivery.runId !== undefined) || run.startedAt > at) return false;
    switch (run.answer?.kind) {
      case 'awaited':
        return true;
      case 'missing':
        return at <= (run.endedAt ?? 0) + unansweredMs;
      case 'given':
        if (run.answer.fingerprint === undefined) return false;
        waiting.fingerprints ??= this.#fingerprintsIn(delivery.id);
        return waiting.fingerprints.has(run.answer.fingerprint);
      case undefined:
        return false;
    }
  }

  #fingerprintsIn(id: string): ReadonlySet<string> {
    try {
      return fingerprintsIn(this.#store.kept(id).body);
    } catch {
      // It was deleted meanwhile.
      return new Set();
    }
  }

  #join(run: WaitingRun, delivery: Delivery): void {
    const { id } = delivery;
    const { appName, startedAt, runId = delivery.runId } = run;
    run.isJoined = true;
    this.#deliveries.delete(id);
    this.#joined.set(id, run.id);
    dropOldest(this.#joined, mostJoined);
    if (runId !== undefined && runId !== run.runId) this.#store.noteRun({ runId, appName, startedAt });
    // This tells the windows.
    this.#store.note({ id, appName, ...(runId !== undefined && { runId }) });
  }
}

/** Deletes the oldest entries, down to `most`. */
function dropOldest(known: Map<string, unknown>, most: number): void {
  for (const oldest of known.keys()) {
    if (known.size <= most) return;
    known.delete(oldest);
  }
}
