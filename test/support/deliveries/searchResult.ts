import type { Delivery } from '../../../src/model/deliveries/delivery.ts';
import type { FoundDeliveries } from '../../../src/model/processes/listenerProtocol.ts';

/** The result of a search that finds all kept deliveries. @param deliveries newest first */
export function searchResult(deliveries: Delivery[], more: Partial<FoundDeliveries> = {}): FoundDeliveries {
  const count = deliveries.length;
  return {
    deliveries,
    hasMore: false,
    hits: count,
    hasAllHits: true,
    kept: count,
    apps: [],
    ...more,
  };
}
