import { Turns } from '../async/turns.ts';
import type { FoundDeliveries } from '../processes/listenerProtocol.ts';
import { type Delivery, type DeliverySummary, summarise } from './delivery.ts';
import { type DeliveryFilter, fitsFilter, isEmptyFilter } from './deliveryFilter.ts';

/** So many are shown at first, and so many more with each "Load more…". */
const pageSize = 200;

/** A delivery and those that repeat it, the oldest repeat first. */
export interface DeliveryGroup {
  first: DeliverySummary;
  repeats: DeliverySummary[];
}

/** Finds the newest of the kept deliveries that fit. */
type Find = (filter: DeliveryFilter, limit: number) => Promise<FoundDeliveries>;

/** How many fit of all that are kept. */
export type Hits = Pick<FoundDeliveries, 'hits' | 'hasAllHits' | 'kept'>;

/** The deliveries that the view shows: the newest that fit its filter, as many as were asked for. */
export class ShownDeliveries {
  readonly #find: Find;
  readonly #keep: () => number;
  readonly #now: () => number;
  readonly #took: (found: FoundDeliveries) => void;
  /** Oldest first. */
  #byId = new Map<string, DeliverySummary>();
  #filter: DeliveryFilter = {};
  #limit = pageSize;
  #hasMore = false;
  #hits: Hits = { hits: 0, hasAllHits: true, kept: 0 };
  /** What arrives while a page is read may be missing in it, and is taken in after it. */
  readonly #turns = new Turns();
  #searches = 0;
  /** When the newest of those came that are shown, or one after it. */
  #newestAt = '';

  /**
   * @param keep how many deliveries are kept at all
   * @param now a clock in Unix milliseconds
   * @param took is told what is shown from then on
   */
  constructor(
    find: Find,
    keep: () => number,
    now: () => number,
    took: (found: FoundDeliveries) => void = () => undefined,
  ) {
    this.#find = find;
    this.#keep = keep;
    this.#now = now;
    this.#took = took;
  }

  get filter(): DeliveryFilter {
    return this.#filter;
  }

  /** Whether more are kept that fit. */
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

  /** Reads what is kept anew. What an older search finds after that is let go. */
  load(): Promise<void> {
    const search = (this.#searches += 1);
    const reading = this.#find(this.#filter, this.#limit);
    // Whoever waits for the turn is told.
    reading.catch(() => undefined);
    return this.#turns.next(async () => {
      const found = await reading;
      if (search !== this.#searches) return;
      const { deliveries, hasMore, hits, hasAllHits, kept } = found;
      this.#byId = new Map(deliveries.toReversed().map((one) => [one.id, one]));
      this.#newestAt = deliveries[0]?.receivedAt ?? '';
      this.#hasMore = hasMore;
      this.#hits = { hits, hasAllHits, kept };
      this.#took(found);
    });
  }

  /** Takes in a delivery that has just come, if it fits. */
  add(delivery: Delivery): Promise<void> {
    return this.#turns.next(() => {
      const { hits, kept } = this.#hits;
      // Where all that may be kept are there, one goes for each that comes.
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

  /** Takes in what got known of a delivery: it may fit from now on, or no longer. */
  change(delivery: Delivery): Promise<void> {
    return this.#turns.next(() => {
      const isShown = this.#byId.has(delivery.id);
      const isHit = fitsFilter(delivery, this.#filter, this.#now());
      if (isShown && isHit) this.#byId.set(delivery.id, summarise(delivery));
      if (isShown === isHit || isEmptyFilter(this.#filter)) return;
      const [oldest] = this.#byId.values();
      // Whether one that is behind "Load more…" has fitted before is not known here.
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

  /** Newest first. A repeat whose first is not shown stands for itself. */
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
