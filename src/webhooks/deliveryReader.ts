import type { Delivery } from '../model/delivery.ts';
import { type DeliveryFilter, fitsFilter } from '../model/deliveryFilter.ts';
import { type DeliverySummary, summarise } from '../model/deliveryList.ts';
import type { DeliveryPage } from '../model/listenerProtocol.ts';
import type { DeliveryStore } from './deliveryStore.ts';

/** So many deliveries are read from the journal at once, and no more of them than until so many bytes were read. */
const readAtOnce = 8;
const bytesAtOnce = 256 * 1024;

/** Reads long lists of deliveries a few at a time: whoever waits for an answer comes in between. */
export class DeliveryReader {
  readonly #store: Pick<DeliveryStore, 'ids' | 'find' | 'unverified'>;

  constructor(store: Pick<DeliveryStore, 'ids' | 'find' | 'unverified'>) {
    this.#store = store;
  }

  /** Newest first. */
  async list(limit = Number.POSITIVE_INFINITY): Promise<Delivery[]> {
    const deliveries: Delivery[] = [];
    for await (const delivery of this.#newestFirst()) {
      if (deliveries.length === limit) break;
      deliveries.push(delivery);
    }
    return deliveries;
  }

  /** The newest that fit, without their bodies. */
  async page(filter: DeliveryFilter, limit: number): Promise<DeliveryPage> {
    const deliveries: DeliverySummary[] = [];
    let hasMore = false;
    for await (const delivery of this.#newestFirst()) {
      if (!fitsFilter(delivery, filter)) continue;
      hasMore = deliveries.length === limit;
      if (hasMore) break;
      deliveries.push(summarise(delivery));
    }
    return { deliveries, hasMore, unverified: this.#store.unverified };
  }

  async *#newestFirst(): AsyncGenerator<Delivery> {
    let read = 1;
    let bytes = 0;
    for (const id of this.#store.ids()) {
      if (read === readAtOnce || bytes > bytesAtOnce) {
        await new Promise((resolve) => setImmediate(resolve));
        read = 0;
        bytes = 0;
      }
      // It may have gone meanwhile.
      const delivery = this.#store.find(id);
      read += 1;
      bytes += delivery?.bytes ?? 0;
      if (delivery !== undefined) yield delivery;
    }
  }
}
