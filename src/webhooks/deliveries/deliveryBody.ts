import type { Delivery } from '../../model/deliveries/delivery.ts';
import { hexDump } from '../explanation/hexDump.ts';

/** How much of a body is shown that is no text. */
const dumpedBytes = 1024 * 1024;

/** The raw bytes of a delivery's body. */
export function bodyOf({ body, bodyEncoding }: Pick<Delivery, 'body' | 'bodyEncoding'>): Buffer {
  return Buffer.from(body, bodyEncoding ?? 'utf8');
}

/** The same for a person: as a dump where an editor could not show them. */
export function shownBody(delivery: Delivery): Buffer {
  const bytes = bodyOf(delivery);
  return delivery.bodyEncoding === undefined ? bytes : Buffer.from(hexDump(bytes, dumpedBytes));
}
