import type { DeliverySummary } from '../../../src/model/deliveries/delivery.ts';
import type { FoundDeliveries } from '../../../src/model/processes/listenerProtocol.ts';

/** The result of a search that finds all kept deliveries. @param deliveries newest first */
export function searchResult(
  deliveries: DeliverySummary[],
  more: Partial<FoundDeliveries> = {},
): FoundDeliveries {
  const count = deliveries.length;
  return {
    deliveries,
    hasMore: false,
    hits: count,
    hasAllHits: true,
    kept: count,
    apps: [],
    headerNames: [],
    ...more,
  };
}
