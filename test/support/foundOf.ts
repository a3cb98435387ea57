import type { DeliverySummary } from '../../src/model/deliveries/delivery.ts';
import type { FoundDeliveries } from '../../src/model/processes/listenerProtocol.ts';

/** What a search gives that has found these, the newest first, of as many that are kept. */
export function foundOf(deliveries: DeliverySummary[], more: Partial<FoundDeliveries> = {}): FoundDeliveries {
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
