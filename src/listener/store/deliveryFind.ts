import type { Delivery } from '../../model/deliveries/delivery.ts';
import { type DeliveryFilter, isEmptyFilter } from '../../model/deliveries/deliveryFilter.ts';
import type { FoundDeliveries } from '../../model/processes/listenerProtocol.ts';
import type { OpenStore } from './storeFile.ts';

/** How long a search runs before it yields to requests, and how long it counts matches. Milliseconds. */
const sliceMs = 4;
const countLimitMs = 1000;
/** How many app names are returned at most. */
const mostNames = 50;

/** Reads from the store as it is at the time; undefined if it cannot be read. */
type Read = <T>(read: (store: OpenStore) => T) => T | undefined;

/** One search of the kept deliveries. It works in small parts, and yields to requests between them. */
export class DeliveryFind {
  readonly #read: Read;
  readonly #isOver: () => boolean;
  #sliceStart = performance.now();

  /** @param isOver whether the search was cancelled: it then ends with what it has found */
  constructor(read: Read, isOver: () => boolean) {
    this.#read = read;
    this.#isOver = isOver;
  }

  /** The newest deliveries that match, without their bodies, and the number of matches. */
  async find(filter: DeliveryFilter, limit: number): Promise<FoundDeliveries> {
    const known = this.#read(({ query }) => {
      return { kept: query.count, apps: query.apps(mostNames) };
    }) ?? { kept: 0, apps: [] };
    const { seqs, isWhole } = isEmptyFilter(filter)
      ? { seqs: this.#read(({ query }) => query.seqs({}, limit + 1)) ?? [], isWhole: true }
      : await this.#matches(filter, limit + 1);
    const deliveries = await this.#deliveries(seqs.slice(0, limit));
    const hits = isEmptyFilter(filter) ? known.kept : seqs.length;
    return { ...known, deliveries, hasMore: seqs.length > limit, hits, hasAllHits: isWhole };
  }

  /** All matches, newest first. The newest `limit` are always found; finding the rest is time-limited. */
  async #matches(filter: DeliveryFilter, limit: number): Promise<{ seqs: number[]; isWhole: boolean }> {
    const begun = this.#read((store) => ({ store, batches: store.query.batches(filter) }));
    const seqs: number[] = [];
    let end = Infinity;
    while (!this.#isOver() && performance.now() < end) {
      // The statements belong to one open file: if it was replaced meanwhile, the search ends.
      const batch = this.#read((store) => (store === begun?.store ? begun.batches.next() : undefined));
      if (batch === undefined) break;
      if (batch.done === true) return { seqs, isWhole: true };
      seqs.push(...batch.value);
      if (seqs.length >= limit) end = Math.min(end, performance.now() + countLimitMs);
      await this.#yieldIfDue();
    }
    return { seqs, isWhole: false };
  }

  async #deliveries(seqs: readonly number[]): Promise<Delivery[]> {
    const deliveries: Delivery[] = [];
    for (const seq of seqs) {
      if (this.#isOver()) break;
      const delivery = this.#read(({ query }) => query.delivery(seq));
      await this.#yieldIfDue();
      // It may have been deleted meanwhile.
      if (delivery !== undefined) deliveries.push(delivery);
    }
    return deliveries;
  }

  /** Yields to waiting requests if the time slice is used up. */
  async #yieldIfDue(): Promise<void> {
    if (performance.now() - this.#sliceStart < sliceMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#sliceStart = performance.now();
  }
}
