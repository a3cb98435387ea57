import type { Delivery } from '../../model/deliveries/delivery.ts';
import { hexDump } from '../explanation/hexDump.ts';

/** How much of a binary body is shown, in bytes. */
const dumpedBytes = 1024 * 1024;

/** The raw bytes of a delivery's body. */
export function bodyOf({ body, bodyEncoding }: Pick<Delivery, 'body' | 'bodyEncoding'>): Buffer {
  return Buffer.from(body, bodyEncoding ?? 'utf8');
}

/** The body as an editor can show it: the bytes of a text, or the hex dump of a binary body. */
export function shownBody(delivery: Delivery): Buffer {
  const bytes = bodyOf(delivery);
  return delivery.bodyEncoding === undefined ? bytes : Buffer.from(hexDump(bytes, dumpedBytes));
}
