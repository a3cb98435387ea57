import type { Delivery } from './delivery.ts';
import { type DeliveryFilter, fitsFilter } from './deliveryFilter.ts';
import { DeliveryList, type DeliverySummary, summarise } from './deliveryList.ts';
import type { DeliveryPage } from '../processes/listenerProtocol.ts';

/** So many are shown at first, and so many more with each "Load more…". */
export const pageSize = 200;

/** Reads the newest of the kept deliveries that fit. */
export type ReadPage = (filter: DeliveryFilter, limit: number) => Promise<DeliveryPage>;

/** The deliveries that the view shows: the newest that fit its filter, as many as were asked for. */
export class ShownDeliveries {
  readonly list = new DeliveryList();
  readonly #readPage: ReadPage;
  readonly #keep: () => number;
  #filter: DeliveryFilter = {};
  #limit = pageSize;
  #hasMore = false;
  /** What arrives while a page is being read may be missing in it; undefined while none is. */
  #arrivedInLoad: DeliverySummary[] | undefined;
  /** Counts the loads, so that an older one that ends late is dropped. */
  #load = 0;

  /** @param keep how many deliveries are kept at all */
  constructor(readPage: ReadPage, keep: () => number) {
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

  /** Whether what is kept was asked for yet. */
  get isLoaded(): boolean {
    return this.#load > 0;
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

  /** Reads what is kept anew. Where several loads overlap, the last one counts. */
  async load(): Promise<void> {
    this.#load += 1;
    const load = this.#load;
    const arrived: DeliverySummary[] = [];
    this.#arrivedInLoad = arrived;
    const { deliveries, hasMore } = await this.#readPage(this.#filter, this.#limit);
    if (load !== this.#load) return;
    this.#arrivedInLoad = undefined;
    const known = new Set(deliveries.map(({ id }) => id));
    const all = [...arrived.filter(({ id }) => !known.has(id)).reverse(), ...deliveries];
    this.#hasMore = hasMore || all.length > this.#limit;
    this.list.load(all.slice(0, this.#limit));
  }

  /** Takes in a delivery that has just come, if it fits. */
  add(delivery: Delivery): void {
    if (!fitsFilter(delivery, this.#filter)) return;
    const summary = summarise(delivery);
    this.#arrivedInLoad?.push(summary);
    const keep = this.#keep();
    // A burst must not draw more rows than were asked for: the oldest go behind "Load more…".
    this.#hasMore ||= this.list.size >= this.#limit && this.#limit < keep;
    this.list.add(summary, Math.min(this.#limit, keep));
  }

  /** Takes in what got known of a delivery. False where it is not shown. */
  change(delivery: Delivery): boolean {
    return this.list.change(summarise(delivery));
  }
}
