import type { Delivery } from '../../model/deliveries/delivery.ts';

/** The raw bytes of a delivery's body. */
export function bodyOf({ body, bodyEncoding }: Pick<Delivery, 'body' | 'bodyEncoding'>): Buffer {
  return Buffer.from(body, bodyEncoding ?? 'utf8');
}
