import type { Delivery } from '../model/delivery.ts';
import type { HeldSecret } from '../model/webhookSecret.ts';
import { bodyOf } from './deliveryBody.ts';
import type { Evidence } from './diagnosis.ts';

/** A kept delivery as it was to be verified when it arrived. */
export function evidenceOf(
  delivery: Delivery,
  secrets: readonly HeldSecret[],
  toleranceSeconds: number,
): Evidence {
  return {
    headers: delivery.headers,
    body: bodyOf(delivery),
    secrets,
    clock: Date.parse(delivery.receivedAt) / 1000,
    toleranceSeconds,
  };
}
