import type { Delivery } from '../../model/deliveries/delivery.ts';
import { mostTokens } from '../../model/json/keyOrder.ts';
import { comparedBody, type RawBody } from './comparedBody.ts';
import { deliveryDocument } from './deliveryDocument.ts';

/** A text of more lines is shown as one text: a document lays out no more of them. */
const mostLines = mostTokens / 2 - 1;

/**
 * A delivery as a JSON document to be compared with another one: what is different each time by its nature, such as its
 * id and when it came, is left out, and headers and keys stand in one order in both. A body that is no JSON is a list
 * of its lines, one that is no text a list of the lines of its dump. What the delivery's own document masks is masked.
 * @param first the one whose order counts
 */
export function comparedDocument(delivery: Delivery, first: RawBody, secrets: readonly string[]): string {
  const { verdict, reason, method, path, headers } = delivery;
  const sorted = Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1));
  const about = { verdict, ...(reason !== undefined && { reason }) };
  const request = {
    method,
    path,
    headers: Object.fromEntries(sorted),
    ...bodyOfBoth(delivery, first, secrets),
  };
  return deliveryDocument({ ...about, ...request }, secrets);
}

/** The body as JSON, and what it is where it was none. */
function bodyOfBoth(
  delivery: RawBody,
  first: RawBody,
  secrets: readonly string[],
): { body: string; bodyShownAs?: string; sha256?: string } {
  const compared = comparedBody(delivery, first, secrets);
  switch (compared.kind) {
    case 'json':
      return { body: compared.text };
    case 'hex': {
      const { lines, sha256 } = compared;
      return { body: JSON.stringify(lines), bodyShownAs: 'hex', ...(sha256 !== undefined && { sha256 }) };
    }
    case 'lines': {
      const { lines } = compared;
      const isShort = lines.length > 1 && lines.length <= mostLines;
      return isShort ? { body: JSON.stringify(lines), bodyShownAs: 'lines' } : { body: delivery.body };
    }
  }
}
