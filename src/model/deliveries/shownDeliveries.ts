import { Turns } from '../async/turns.ts';
import type { DeliveryPage } from '../processes/listenerProtocol.ts';
import { type Delivery, type DeliverySummary, summarise } from './delivery.ts';
import { type DeliveryFilter, fitsFilter } from './deliveryFilter.ts';

/** So many are shown at first, and so many more with each "Load more…". */
const pageSize = 200;

/** A delivery and those that repeat it, the oldest repeat first. */
export interface DeliveryGroup {
  first: DeliverySummary;
  repeats: DeliverySummary[];
}

/** The deliveries that the view shows: the newest that fit its filter, as many as were asked for. */
export class ShownDeliveries {
  readonly #readPage: (filter: DeliveryFilter, limit: number) => Promise<DeliveryPage>;
  readonly #keep: () => number;
  /** Oldest first. */
  #byId = new Map<string, DeliverySummary>();
  #filter: DeliveryFilter = {};
  #limit = pageSize;
  #hasMore = false;
  /** What arrives while a page is read may be missing in it, and is taken in after it. */
  readonly #turns = new Turns();

  /**
   * @param readPage reads the newest of the kept deliveries that fit
   * @param keep how many deliveries are kept at all
   */
  constructor(
    readPage: (filter: DeliveryFilter, limit: number) => Promise<DeliveryPage>,
    keep: () => number,
  ) {
    this.#readPage = readPage;
    this.#keep = keep;
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

  /** The names of the apps that sent something, in order. */
  get apps(): string[] {
    return [...new Set([...this.#byId.values()].flatMap(({ appName }) => appName ?? []))].sort();
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

  /** Reads what is kept anew. */
  load(): Promise<void> {
    return this.#turns.next(async () => {
      const { deliveries, hasMore } = await this.#readPage(this.#filter, this.#limit);
      this.#byId = new Map(deliveries.reverse().map((one) => [one.id, one]));
      this.#hasMore = hasMore;
    });
  }

  /** Takes in a delivery that has just come, if it fits. */
  add(delivery: Delivery): Promise<void> {
    return this.#turns.next(() => {
      if (!fitsFilter(delivery, this.#filter)) return;
      this.#byId.set(delivery.id, summarise(delivery));
      const keep = this.#keep();
      for (const id of this.#byId.keys()) {
        if (this.#byId.size <= Math.min(this.#limit, keep)) break;
        this.#byId.delete(id);
        // A burst must not draw more rows than were asked for: the oldest go behind "Load more…".
        this.#hasMore ||= this.#limit < keep;
      }
    });
  }

  /** Takes in what got known of a delivery, if it is shown. */
  change(delivery: Delivery): Promise<void> {
    return this.#turns.next(() => {
      if (this.#byId.has(delivery.id)) this.#byId.set(delivery.id, summarise(delivery));
    });
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
