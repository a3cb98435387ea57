import { type Delivery, mostToLookAt } from '../../model/deliveries/delivery.ts';
import type { DeliveryFilter } from '../../model/deliveries/deliveryFilter.ts';
import type { DeliveryPage, FoundDeliveries, NotedRun } from '../../model/processes/listenerProtocol.ts';
import {
  type KeptAnswer,
  type KeptDelivery,
  type NewDelivery,
  type Note,
  toDelivery,
  notKept,
} from '../../webhooks/deliveries/keptDelivery.ts';
import { runIdOf } from '../../webhooks/deliveries/runIdOf.ts';
import { headerOf } from '../../webhooks/signature/rawHeaders.ts';
import { DeliveryFind } from './deliveryFind.ts';
import type { DeliveryStoreOptions } from './deliveryStoreOptions.ts';
import type { DeliveryRow } from './deliveryRow.ts';
import { readNewest } from './deliveryQuery.ts';
import { settle, settledOf } from './settle.ts';
import { isOfTheSystem, storeError } from './storeError.ts';
import { type OpenStore, StoreFile } from './storeFile.ts';
import { StoreProblem } from './storeProblem.ts';

/** The run of a delivery that verified is found as it is kept, where its body is no larger. In bytes. */
const settledAtOnceBytes = 16 * 1024;
/** How many notes wait at most while the disk takes nothing. */
const mostWaiting = 10_000;

/** What is written with the next commit. */
interface Pending {
  write: (store: OpenStore) => void;
  kept?: () => unknown;
  lost?: (error: Error) => void;
  /** Lets go of what takes much memory, before it waits for a disk that takes it. */
  lighten?: () => unknown;
}

/** The deliveries that are kept. What comes in one turn of the event loop is written in one transaction. */
export class DeliveryStore {
  readonly #options: DeliveryStoreOptions;
  readonly #file: StoreFile;
  readonly #problem: StoreProblem;
  /** How many deliveries are kept at most; goes for the next {@link trim}. */
  keep: number;
  #pending: Pending[] = [];
  /** Those that wait to be written, for a repeat that comes in the same turn; by request id. */
  readonly #pendingFirsts = new Map<string, KeptDelivery>();
  #isClosed = false;
  /** Whether a write is to come at the end of this turn. */
  #isDue = false;

  constructor(options: DeliveryStoreOptions) {
    this.#options = options;
    this.keep = options.keep;
    this.#file = new StoreFile(options);
    this.#problem = new StoreProblem(this.#file, options.onProblem);
  }

  /** The first verified delivery with this request id and body, if there is one. */
  firstOf(requestId: string | undefined, body: Uint8Array): string | undefined {
    if (requestId === undefined) return undefined;
    const pending = this.#pendingFirsts.get(requestId);
    if (pending !== undefined && Buffer.compare(pending.body, body) === 0) return pending.id;
    return this.#problem.reading(() => this.#file.read(({ table }) => table.firstOf(requestId, body)));
  }

  /** The app of the run that a body tells of, where the run was noted. */
  appOfRun(body: Uint8Array): string | undefined {
    const runId = runIdOf(body);
    if (runId === undefined) return undefined;
    return this.#problem.reading(() => this.#file.read(({ table }) => table.appOfRun(runId)));
  }

  /** Keeps a delivery: `kept` is called when it is on the disk, `lost` where it could not be. */
  add(delivery: NewDelivery, kept: () => void, lost: (error: Error) => void): void {
    const requestId = headerOf(delivery.rawHeaders, 'x-request-id');
    const { standing, repeatOf, body, forwardTo } = delivery;
    if (requestId !== undefined && standing === 'verified' && repeatOf === undefined)
      this.#pendingFirsts.set(requestId, delivery);
    const write = ({ table, retention }: OpenStore): void => {
      retention.added({ standing, isWaiting: forwardTo !== undefined, bytes: body.byteLength });
      const isSettled = standing === 'verified' && body.byteLength <= settledAtOnceBytes;
      table.add(delivery, isSettled ? settledOf(delivery, this.#options.reasonFor) : undefined);
    };
    this.#append({ write, kept, lost });
  }

  /** Notes what became known of a delivery. One that has gone meanwhile is passed over. */
  note(note: Note): void {
    // What is broken off at the end would open the file again.
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
   * What a program that has ended was to forward has failed; for the one program of the folder, before it keeps anything.
   * @param told of how many, where there are any
   */
  endForwards(told: (count: number) => void): void {
    let count = 0;
    const write = ({ table, retention }: OpenStore): void => {
      count = table.endForwards(this.#options.now());
      retention.recount();
    };
    this.#append({ write, kept: () => count > 0 && told(count) });
  }

  /** Joins a run to its deliveries, to those that are here and to those that will come. */
  noteRun(run: NotedRun): void {
    this.#append({ write: ({ table }) => table.noteRun(run) });
  }

  /** Lets go of what is more than may be kept; so what is wrong with the file is known before the first delivery comes. */
  trim(): void {
    this.#problem.writing(() => this.#file.write((store) => this.#trim(store)));
  }

  /** How many of the runs that were started since then have had no delivery. Unix milliseconds. */
  awaitedSince(startedAt: number): number {
    this.#settle();
    return this.#read(({ table }) => table.awaitedSince(startedAt)) ?? 0;
  }

  /** Has on the disk all that was added, and calls `kept` for it. */
  flush(): void {
    this.#isDue = false;
    const batch = this.#pending;
    if (batch.length === 0) return;
    this.#pending = [];
    this.#pendingFirsts.clear();
    try {
      this.#file.write((store) => {
        for (const { write } of batch) write(store);
        this.#trim(store);
      });
    } catch (error) {
      const problem = storeError(error);
      for (const { lost } of batch) lost?.(problem);
      // Nobody is told that a note was lost: it waits for a disk that takes it.
      const waiting = batch.filter(({ lost }) => lost === undefined).slice(-mostWaiting);
      for (const { lighten } of waiting) lighten?.();
      if (isOfTheSystem(problem)) this.#pending.unshift(...waiting);
      this.#problem.is(problem);
      return;
    }
    for (const { kept } of batch) kept?.();
    this.#problem.over();
    this.#options.onChanged();
  }

  /** The count of changes so far: what comes later has a higher one. Undefined where the file cannot be read. */
  get revision(): number | undefined {
    return this.#read(({ table }) => table.revision);
  }

  /** What was added or changed after a revision, in the order of its last change. */
  changedAfter(revision: number, limit: number): DeliveryRow[] {
    this.#settle();
    return this.#read(({ table }) => table.changedAfter(revision, limit)) ?? [];
  }

  /** Those whose outcome came or changed after a revision, and is one to look at. */
  needLook(after: number): string[] {
    this.#settle();
    return this.#read(({ table }) => table.needLook(after, mostToLookAt)) ?? [];
  }

  /**
   * The newest that fit, without their bodies.
   * @param before only those that came before the delivery of that id
   */
  page(filter: DeliveryFilter, limit: number, before?: string): DeliveryPage {
    this.#settle();
    // What came before one that has gone has gone too.
    const seq = before === undefined ? undefined : (this.#read(({ table }) => table.row(before))?.seq ?? 0);
    const most = Math.min(limit, this.keep);
    return this.#read(({ query }) => query.page(filter, most, seq)) ?? { deliveries: [], hasMore: false };
  }

  /**
   * The same as {@link page}, with how many fit, for whoever looks while he types.
   * @param isOver whether he has gone on: what is found by then is enough
   */
  search(filter: DeliveryFilter, limit: number, isOver: () => boolean): Promise<FoundDeliveries> {
    this.#settle();
    // To read in one that is closed would open it again.
    const search = new DeliveryFind((read) => (this.#isClosed ? undefined : this.#read(read)), isOver);
    return search.find(filter, Math.min(limit, this.keep));
  }

  /** Newest first, no more than may be kept. */
  newest(limit: number): Promise<Delivery[]> {
    this.#settle();
    return readNewest(Math.min(limit, this.keep), (work) => this.#read(({ query }) => work(query)));
  }

  /** Undefined where it is not kept. */
  find(id: string): Delivery | undefined {
    this.#settle();
    const row = this.#read(({ table }) => table.row(id));
    return row && toDelivery(row.kept, row.known);
  }

  /** @throws UserError where it is not kept */
  get(id: string): Delivery {
    const found = this.find(id);
    if (found === undefined) throw notKept(id);
    return found;
  }

  /** The delivery byte for byte. @throws UserError where it is not kept */
  kept(id: string): KeptDelivery {
    const row = this.#read(({ table }) => table.row(id));
    if (row === undefined) throw notKept(id);
    return row.kept;
  }

  /** The 2xx with which the local app took this delivery, the first, or a repeat of it. */
  takenStatus(first: string): number | undefined {
    return this.#read(({ table }) => table.takenStatus(first));
  }

  /** Those that no address has taken with the last attempt, the oldest first. */
  refused(): string[] {
    return this.#read(({ table }) => table.refused()) ?? [];
  }

  /** What came back for the attempt of that time; undefined where it is not kept. @param at Unix milliseconds */
  answer(id: string, at: number): KeptAnswer | undefined {
    return this.#read(({ table }) => table.attempts.answer(id, at));
  }

  /** Forgets all deliveries, and leaves none of their bytes in any file. @throws Error where it cannot */
  clear(): void {
    this.flush();
    this.#file.write(({ table, search }) => {
      table.clear();
      search.clear();
    });
    // guard: the file is written anew without it
    this.#file.compact();
    this.#options.onChanged();
  }

  /** Gives back the memory of what can be read again. */
  shrink(): void {
    this.#file.shrink();
  }

  close(): void {
    this.#isClosed = true;
    this.flush();
    this.#file.close();
  }

  #trim({ retention }: OpenStore): void {
    retention.trim(this.keep, this.#options.toldUpTo?.() ?? Number.MAX_SAFE_INTEGER);
  }

  #append(pending: Pending): void {
    this.#pending.push(pending);
    if (!this.#isDue) setImmediate(() => this.flush());
    this.#isDue = true;
  }

  /** Reads what is written up to now. Undefined where it cannot be read. */
  #read<T>(read: (store: OpenStore) => T): T | undefined {
    this.flush();
    return this.#problem.reading(() => this.#file.read(read));
  }

  #settle(): void {
    const write = (work: (store: OpenStore) => void): boolean =>
      this.#problem.writing(() => this.#file.write(work));
    settle((work) => this.#read(work), write, this.#options.reasonFor);
  }
}
