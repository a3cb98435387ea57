import type { Delivery, WholeDelivery } from '../../contract/delivery.ts';
import type { DeliveryFilter } from '../../deliveries/deliveryFilter.ts';
import { type Clock, systemClock } from '../../shared/async/clock.ts';
import type { DeliveryPage, FoundDeliveries } from '../../deliveries/listenerProtocol.ts';
import {
  type KeptAnswer,
  type KeptDelivery,
  type NewDelivery,
  type Note,
  type RelayPlace,
  notKept,
} from '../../deliveries/keptDelivery.ts';
import { runIdOf } from '../../deliveries/runIdOf.ts';
import { DeliveryFind, readNewest } from './deliveryQuery.ts';
import type { Arriving, First } from './repeatTable.ts';
import type { ChangedDelivery } from './deliveryRow.ts';
import type { KeptRun } from './deliveryTable.ts';
import { isOfTheSystem, storeError } from './storeError.ts';
import { type OpenStore, StoreFile, type StoreFileOptions } from './storeFile.ts';
import { StoreProblem } from './storeProblem.ts';

/** How many pending notes are kept while the disk cannot be written. */
const mostWaiting = 10_000;

/** The largest body whose run is looked up when it is stored, in bytes. */
const atOnceBytes = 16 * 1024;
/** How many others are looked into in one go: when somebody waits for them, and when not. Responses wait meanwhile. */
const batchSize = 100;
const fewAtOnce = 5;
/** How long after a change that is done if nobody asked before, and the pause between two goes. In milliseconds. */
const findsRunsAfterMs = 100;
const pauseMs = 10;

/** A write that is pending for the next commit. */
interface Pending {
  write: (store: OpenStore) => void;
  kept?: () => unknown;
  lost?: (error: Error) => void;
  /** Drops its large data, before it waits for a disk that can be written again. */
  lighten?: () => unknown;
}

/** The store of deliveries. All writes of one turn of the event loop go into one transaction. */
export class DeliveryStore {
  readonly #options: DeliveryStoreOptions;
  readonly #file: StoreFile;
  readonly #problem: StoreProblem;
  /** How many deliveries are kept at most; applied with the next {@link trim}. */
  keep: number;
  #pending: Pending[] = [];
  /** Pending first deliveries by what repeats of them are recognised by, for those that arrive in the same turn. */
  readonly #pendingFirsts = new Map<string, First>();
  readonly #pendingRelayed = new Set<string>();
  #isClosed = false;
  /** Whether a flush is scheduled for the end of this turn. */
  #isFlushScheduled = false;
  #runsTimer: NodeJS.Timeout | undefined;

  constructor(options: DeliveryStoreOptions) {
    this.#options = options;
    this.keep = options.keep;
    this.#file = new StoreFile(options);
    this.#problem = new StoreProblem(this.#file, options.onProblem, options.clock ?? systemClock);
  }

  /** The first verified delivery with this request id and body, if there is one. */
  firstOf(arriving: Arriving): First | undefined {
    const pending = this.#pendingFirsts.get(keyOf(arriving));
    if (pending !== undefined) return pending;
    return this.#problem.reading(() => {
      // What another program has written is looked for once a turn.
      const looks = !this.#isFlushScheduled;
      if (this.#file.opened?.table.repeats.isNew(arriving, looks) === true) return undefined;
      return this.#file.read(({ table }) => table.repeats.firstOf(arriving));
    });
  }

  /** Whether a delivery of a relay is on the disk. @throws Error if the file cannot be read or written */
  hasRelayed(place: RelayPlace): boolean {
    // It may have come a moment ago, on the connection before.
    if (this.#pendingRelayed.has(placeKey(place))) this.flush();
    return this.#file.read(({ table }) => table.relayed.has(place));
  }

  /** Runhook's own id of the run from whose response the delivery with this request id was made here, if it was. */
  madeOf(requestId: string): string | undefined {
    return this.#problem.reading(() => {
      // Asked for each delivery, so that it is answered from memory without a look at the file.
      const { opened } = this.#file;
      return opened
        ? opened.table.made.runOf(requestId)
        : this.#file.read(({ table }) => table.made.runOf(requestId));
    });
  }

  /** From now on, what verifies and has this request id counts as made here, from the response of this run. */
  noteMade(requestId: string, run: string): void {
    this.#append({ write: ({ table }) => table.made.remember(requestId, run) });
    this.flush();
  }

  /** The app of the run whose id is in the body, if that run was noted. */
  appOfRun(body: Uint8Array): string | undefined {
    const runId = runIdOf(body);
    if (runId === undefined) return undefined;
    return this.#problem.reading(() => this.#file.read(({ table }) => table.appOfRun(runId)));
  }

  /** Stores a delivery. `kept` is called when it is on the disk, `lost` if it could not be written. */
  add(delivery: NewDelivery, kept: () => void, lost: (error: Error) => void): void {
    const { id, standing, repeatOf, recognised, path, body, forwardTo, relayed } = delivery;
    if (relayed !== undefined) this.#pendingRelayed.add(placeKey(relayed));
    if (recognised !== undefined && repeatOf === undefined)
      this.#pendingFirsts.set(keyOf(recognised), { id, path });
    const write = ({ table, retention }: OpenStore): void => {
      retention.added({ standing, isWaiting: forwardTo !== undefined, bytes: body.byteLength });
      table.add(delivery, runAtOnce(delivery));
    };
    this.#append({ write, kept, lost });
  }

  /** Adds what became known of a delivery. Ignored if the delivery was deleted meanwhile. */
  note(note: Note): void {
    // A forward aborted at the end of the program would open the file again.
    if (this.#isClosed) return;
    const at = this.#options.now();
    const noted = { ...note };
    const write = ({ table, retention }: OpenStore): void => {
      const change = table.note(noted, at);
      if (change !== undefined) retention.changed(change);
    };
    this.#append({ write, lighten: () => delete noted.answer });
  }

  /**
   * Notes forwards that an earlier program left unfinished as failed. Only for the one program of the folder, before
   * it stores anything.
   * @param told called with the number of these, if there are any
   */
  endForwards(told: (count: number) => void): void {
    let count = 0;
    const write = ({ table, retention }: OpenStore): void => {
      count = table.endForwards(this.#options.now());
      retention.recount();
    };
    this.#append({ write, kept: () => count > 0 && told(count) });
  }

  /** Links a run to its deliveries, both stored and future ones. */
  noteRun(run: KeptRun): void {
    this.#append({ write: ({ table }) => table.noteRun(run) });
  }

  /** The deliveries of a run that have arrived since it began, the oldest first. */
  ofRun(runId: string, startedAt: number): Delivery[] {
    this.#findRuns();
    return this.#read(({ table }) => table.ofRun(runId, startedAt)) ?? [];
  }

  /** Deletes deliveries beyond the limits. This also reports a problem with the file before the first delivery. */
  trim(): void {
    this.#problem.writing(() => this.#file.write((store) => this.#trim(store)));
  }

  /** How many runs started after `startedAt` (Unix milliseconds) have no delivery yet. */
  awaitedSince(startedAt: number): number {
    this.#findRuns();
    return this.#read(({ table }) => table.awaitedSince(startedAt)) ?? 0;
  }

  /** Writes everything pending to the disk, and calls `kept` for each. */
  flush(): void {
    this.#isFlushScheduled = false;
    const batch = this.#pending;
    if (batch.length === 0) return;
    this.#pending = [];
    this.#pendingFirsts.clear();
    this.#pendingRelayed.clear();
    try {
      this.#file.write((store) => {
        for (const { write } of batch) write(store);
        this.#trim(store);
      });
    } catch (error) {
      const problem = storeError(error);
      // guard S39: A delivery that cannot be written gets no answer.
      for (const { lost } of batch) lost?.(problem);
      // Nobody is told about a lost note, so notes wait until the disk can be written again.
      const waiting = batch.filter(({ lost }) => lost === undefined).slice(-mostWaiting);
      for (const { lighten } of waiting) lighten?.();
      if (isOfTheSystem(problem)) this.#pending.unshift(...waiting);
      this.#problem.is(problem);
      return;
    }
    for (const { kept } of batch) kept?.();
    this.#problem.over();
    this.#findRunsLater(findsRunsAfterMs);
    this.#options.onChanged();
  }

  /** The current revision; every later change has a higher one. Undefined if the file cannot be read. */
  get revision(): number | undefined {
    return this.#read(({ table }) => table.revision);
  }

  /** Whether nothing is kept any more of what was there at a revision: all was cleared since, or the file is another. */
  wasCleared(revision: number): boolean {
    const isGone = ({ table }: OpenStore): boolean =>
      revision > table.revision || revision <= (table.clearedAt ?? -1);
    return this.#read(isGone) ?? false;
  }

  /** The deliveries that were added or changed after a revision, ordered by their last change. */
  changedAfter(revision: number, limit: number): ChangedDelivery[] {
    this.#findRuns();
    return this.#read(({ table }) => table.changedAfter(revision, limit)) ?? [];
  }

  /**
   * The newest matches, without their bodies.
   * @param before only deliveries older than the one with this id
   */
  page(filter: DeliveryFilter, limit: number, before?: string): DeliveryPage {
    this.#findRuns();
    // If that delivery was deleted, all older ones were too.
    const seq = before === undefined ? undefined : (this.#read(({ table }) => table.seqOf(before)) ?? 0);
    const most = Math.min(limit, this.keep);
    const page = this.#read(({ query }) => query.page(filter, most, seq));
    return page ?? { deliveries: [], hasMore: false };
  }

  /**
   * The same as {@link page}, with the number of matches; for search as you type.
   * @param isOver whether the search is cancelled: it then returns what it has found
   */
  async search(filter: DeliveryFilter, limit: number, isOver: () => boolean): Promise<FoundDeliveries> {
    this.#findRuns();
    // Reading a closed store would open the file again.
    const search = new DeliveryFind((read) => (this.#isClosed ? undefined : this.#read(read)), isOver);
    return search.find(filter, Math.min(limit, this.keep));
  }

  /** The newest deliveries with their bodies, newest first, at most as many as may be kept. */
  newest(limit: number): Promise<WholeDelivery[]> {
    this.#findRuns();
    return readNewest(Math.min(limit, this.keep), (work) => this.#read(({ query }) => work(query)));
  }

  /** Undefined if the delivery is not kept. */
  find(id: string): Delivery | undefined {
    this.#findRuns();
    return this.#read(({ table }) => table.find(id));
  }

  /** @throws UserError if the delivery is not kept */
  get(id: string): Delivery {
    const found = this.find(id);
    if (found === undefined) throw notKept(id);
    return found;
  }

  /** The delivery with its body. @throws UserError if it is not kept */
  whole(id: string): WholeDelivery {
    this.#findRuns();
    const found = this.#read(({ table }) => table.whole(id));
    if (found === undefined) throw notKept(id);
    return found;
  }

  /** The delivery exactly as it was received. @throws UserError if it is not kept */
  kept(id: string): KeptDelivery {
    const found = this.#read(({ table }) => table.kept(id));
    if (found === undefined) throw notKept(id);
    return found;
  }

  /** The 2xx status with which the local app took a first delivery or one of its repeats. @param first its id */
  acceptedStatus(first: string): number | undefined {
    return this.#read(({ table }) => table.repeats.acceptedStatus(first));
  }

  /** The ids of the deliveries among the newest that did not verify, and of which nobody knows why yet; newest first. */
  unexplained(limit: number): string[] {
    return (
      this.#read(({ table }) => table.unexplained(Math.min(limit, this.keep, Number.MAX_SAFE_INTEGER))) ?? []
    );
  }

  /** The ids of deliveries whose last attempt failed, oldest first. */
  failed(): string[] {
    return this.#read(({ table }) => table.failed()) ?? [];
  }

  /** The response to the attempt of that time; undefined if it is not kept. @param at Unix milliseconds */
  answer(id: string, at: number): KeptAnswer | undefined {
    return this.#read(({ table }) => table.attempts.answer(id, at));
  }

  /**
   * Deletes all deliveries. None of their bytes is in any file afterwards; while another program reads the file, only
   * once it has gone and {@link tidy} was called. @throws Error if that fails
   */
  clear(): void {
    this.flush();
    try {
      this.#file.write(({ table }) => table.clear());
      // guard S35: The file is rewritten without the cleared deliveries.
      this.#file.compact();
    } catch (error) {
      if (!isOfTheSystem(storeError(error))) throw error;
      // guard S34: If the disk is too full for a deletion, the file is removed.
      this.#file.startAnew();
      this.#problem.over();
    }
    this.#options.onChanged();
  }

  /** Call this when all is quiet. @returns false if it has to be called again: see {@link StoreFile.tidy} */
  tidy(): boolean {
    return this.#problem.reading(() => this.#file.tidy()) ?? false;
  }

  close(): void {
    this.#isClosed = true;
    this.flush();
    clearTimeout(this.#runsTimer);
    this.#problem.close();
    this.#file.close();
  }

  /** Looks up the runs that large deliveries name, before somebody reads them. */
  #findRuns(): void {
    let first: number | undefined;
    do {
      const before = first;
      first = this.#findSomeRuns(batchSize);
      // On a broken disk one may stay without, whatever was written.
      if (first === before) return;
    } while (first !== undefined);
  }

  /** Looks them up a few at a time, so that they are not many when somebody asks. */
  #findRunsLater(ms: number): void {
    this.#runsTimer ??= setTimeout(() => {
      this.#runsTimer = undefined;
      if (this.#findSomeRuns(fewAtOnce) === undefined) return;
      this.#options.onChanged();
      this.#findRunsLater(pauseMs);
    }, ms).unref();
  }

  /** @returns the seq of the first that was looked into; undefined if none was */
  #findSomeRuns(most: number): number | undefined {
    const unsettled = this.#read(({ table }) => table.unsettled(most)) ?? [];
    const first = unsettled[0]?.seq;
    if (first === undefined) return undefined;
    const isWritten = this.#problem.writing(() =>
      this.#file.write(({ table }) => {
        for (const one of unsettled) table.settle(one);
      }),
    );
    return isWritten ? first : undefined;
  }

  #trim({ table, retention }: OpenStore): void {
    table.repeats.trim(this.#options.now());
    retention.trim(this.keep, this.#options.publishedUntil?.() ?? Number.MAX_SAFE_INTEGER);
  }

  #append(pending: Pending): void {
    this.#pending.push(pending);
    if (!this.#isFlushScheduled) setImmediate(() => this.flush());
    this.#isFlushScheduled = true;
  }

  /** Flushes, then reads. Undefined if the store cannot be read. */
  #read<T>(read: (store: OpenStore) => T): T | undefined {
    this.flush();
    return this.#problem.reading(() => this.#file.read(read));
  }
}

function keyOf({ hash }: { hash: Uint8Array }): string {
  return Buffer.from(hash).toString('latin1');
}

/**
 * The run that a new delivery names. Undefined where that is looked up later: its body is large, and it has to be
 * answered first. What a stranger sent is not looked into before its reason is searched for.
 */
function runAtOnce({ verdict, body }: NewDelivery): { runId?: string } | undefined {
  if (verdict === 'mismatch' || verdict === 'malformed') return {};
  return body.byteLength > atOnceBytes ? undefined : { runId: runIdOf(body) };
}

/** The options of a DeliveryStore. */
interface DeliveryStoreOptions extends StoreFileOptions {
  keep: number;
  /** The system's clock by default. */
  clock?: Clock;
  /** Called with the reason when deliveries cannot be stored, and with undefined once they can be again. */
  onProblem: (problem: Error | undefined) => void;
  /** The revision up to which all windows were sent changes; absent if there are no windows. */
  publishedUntil?: () => number;
  /** Called when deliveries were added or changed. */
  onChanged: () => void;
}

function placeKey({ channel, seq, at }: RelayPlace): string {
  return `${channel} ${seq} ${at}`;
}
