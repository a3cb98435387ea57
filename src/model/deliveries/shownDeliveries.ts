import { Turns } from '../async/turns.ts';
import type { FoundDeliveries } from '../processes/listenerProtocol.ts';
import { type Delivery, type DeliverySummary, summarise } from './delivery.ts';
import { type DeliveryFilter, fitsFilter, isEmptyFilter } from './deliveryFilter.ts';

/** How many deliveries are shown at first, and how many more with each "Load more…". */
const pageSize = 200;

/** A delivery and its repeats, the oldest repeat first. */
export interface DeliveryGroup {
  first: DeliverySummary;
  repeats: DeliverySummary[];
}

/** Finds the newest kept deliveries that match. */
type Find = (filter: DeliveryFilter, limit: number) => Promise<FoundDeliveries>;

/** How many of the kept deliveries match. */
export type Hits = Pick<FoundDeliveries, 'hits' | 'hasAllHits' | 'kept'>;

/** The deliveries that the view shows: the newest that match its filter, up to the current limit. */
export class ShownDeliveries {
  readonly #find: Find;
  readonly #keep: () => number;
  readonly #now: () => number;
  readonly #onLoaded: (found: FoundDeliveries) => void;
  /** Oldest first. */
  #byId = new Map<string, DeliverySummary>();
  #filter: DeliveryFilter = {};
  #limit = pageSize;
  #hasMore = false;
  #hits: Hits = { hits: 0, hasAllHits: true, kept: 0 };
  /** A delivery that arrives while a page loads may be missing from it, so it is added after the load. */
  readonly #turns = new Turns();
  #searches = 0;
  /** When the newest shown delivery arrived, or a later one that is no longer shown. */
  #newestAt = '';

  /**
   * @param keep the maximum number of deliveries that are kept
   * @param now a clock in Unix milliseconds
   * @param onLoaded is called with what is shown after each load
   */
  constructor(
    find: Find,
    keep: () => number,
    now: () => number,
    onLoaded: (found: FoundDeliveries) => void = () => undefined,
  ) {
    this.#find = find;
    this.#keep = keep;
    this.#now = now;
    this.#onLoaded = onLoaded;
  }

  get filter(): DeliveryFilter {
    return this.#filter;
  }

  /** Whether more kept deliveries match than are shown. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  get size(): number {
    return this.#byId.size;
  }

  get hits(): Hits {
    return this.#hits;
  }

  /** Narrows what is shown; an empty filter shows all. */
  filterBy(filter: DeliveryFilter): Promise<void> {
    this.#filter = filter;
    this.#limit = pageSize;
    return this.load();
  }

  loadMore(): Promise<void> {
    this.#limit += pageSize;
    return this.load();
  }

  /** Searches the kept deliveries again. The results of older searches still in flight are dropped. */
  load(): Promise<void> {
    const search = (this.#searches += 1);
    const reading = this.#find(this.#filter, this.#limit);
    // Not an unhandled rejection: whoever waits for the turn gets the error.
    reading.catch(() => undefined);
    return this.#turns.next(async () => {
      const found = await reading;
      if (search !== this.#searches) return;
      const { deliveries, hasMore, hits, hasAllHits, kept } = found;
      this.#byId = new Map(deliveries.toReversed().map((one) => [one.id, one]));
      this.#newestAt = deliveries[0]?.receivedAt ?? '';
      this.#hasMore = hasMore;
      this.#hits = { hits, hasAllHits, kept };
      this.#onLoaded(found);
    });
  }

  /** Counts a delivery that has just arrived, and shows it if it matches. */
  add(delivery: Delivery): Promise<void> {
    return this.#turns.next(() => {
      const { hits, kept } = this.#hits;
      // Once the store is full, it drops one delivery for each new one.
      const oneMore = (count: number) => Math.min(count + 1, Math.max(count, this.#keep()));
      const isKnown = this.#byId.has(delivery.id);
      const isHit = fitsFilter(delivery, this.#filter, this.#now());
      this.#hits = {
        ...this.#hits,
        kept: isKnown ? kept : oneMore(kept),
        hits: isHit && !isKnown ? oneMore(hits) : hits,
      };
      if (isHit) this.#show(delivery);
    });
  }

  /** Updates a delivery that has changed: it may start or stop matching. */
  change(delivery: Delivery): Promise<void> {
    return this.#turns.next(() => {
      const isShown = this.#byId.has(delivery.id);
      const isHit = fitsFilter(delivery, this.#filter, this.#now());
      if (isShown && isHit) this.#byId.set(delivery.id, summarise(delivery));
      if (isShown === isHit || isEmptyFilter(this.#filter)) return;
      const [oldest] = this.#byId.values();
      // Whether a delivery behind "Load more…" matched before is not known here.
      const isBehind = this.#hasMore && oldest !== undefined && delivery.receivedAt < oldest.receivedAt;
      if (!isShown && isBehind) return;
      this.#hits = { ...this.#hits, hits: Math.max(0, this.#hits.hits + (isHit ? 1 : -1)) };
      if (isHit) this.#show(delivery);
      else this.#byId.delete(delivery.id);
    });
  }

  #show(delivery: Delivery): void {
    this.#byId.set(delivery.id, summarise(delivery));
    if (delivery.receivedAt >= this.#newestAt) this.#newestAt = delivery.receivedAt;
    else {
      const inOrder = [...this.#byId].sort(([, a], [, b]) => a.receivedAt.localeCompare(b.receivedAt));
      this.#byId = new Map(inOrder);
    }
    const keep = this.#keep();
    for (const id of this.#byId.keys()) {
      if (this.#byId.size <= Math.min(this.#limit, keep)) break;
      this.#byId.delete(id);
      // A burst must not draw more rows than were asked for: the oldest go behind "Load more…".
      this.#hasMore ||= this.#limit < keep;
    }
  }

  /** Newest first. A repeat whose first delivery is not shown gets its own group. */
  groups(): DeliveryGroup[] {
    const groups = new Map<string, DeliveryGroup>();
    for (const delivery of this.#byId.values()) {
      const group = delivery.repeatOf === undefined ? undefined : groups.get(delivery.repeatOf);
      if (group) group.repeats.push(delivery);
      else groups.set(delivery.id, { first: delivery, repeats: [] });
    }
    return [...groups.values()].reverse();
  }
}
