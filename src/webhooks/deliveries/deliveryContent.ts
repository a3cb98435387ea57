import type { Delivery } from '../../model/deliveries/delivery.ts';
import type { HeldSecret } from '../../model/secrets/webhookSecret.ts';
import { bodyOf } from './deliveryBody.ts';
import { deliveryDocument } from './deliveryDocument.ts';
import { hexDump } from '../explanation/hexDump.ts';

/** How much of a body is shown that is no text. */
const dumpedBytes = 1024 * 1024;

/** The bytes of a document that shows a delivery. No secret is in them. */
export function deliveryContent(
  delivery: Delivery,
  part: 'delivery' | 'body',
  secrets: readonly HeldSecret[],
): Uint8Array {
  switch (part) {
    case 'delivery':
      return Buffer.from(
        deliveryDocument(
          delivery,
          secrets.map(({ secret }) => secret),
        ),
      );
    case 'body':
      return rawBody(delivery);
  }
}

/** The bytes as they are, or as a dump where an editor could not show them. */
function rawBody(delivery: Delivery): Uint8Array {
  const bytes = bodyOf(delivery);
  return delivery.bodyEncoding === undefined ? bytes : Buffer.from(hexDump(bytes, dumpedBytes));
}
