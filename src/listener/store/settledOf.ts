import type { KeptDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import { runIdOf } from '../../webhooks/deliveries/runIdOf.ts';
import type { Settled } from './deliveryTable.ts';

/** What a delivery says of its run, and why it did not verify: work that no answer waits for. */
export function settledOf(
  delivery: KeptDelivery,
  reasonFor: (delivery: KeptDelivery) => string | undefined,
): Settled {
  return { runId: runIdOf(delivery.body), reason: delivery.reason ?? reasonFor(delivery) };
}
