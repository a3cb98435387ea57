import type { WholeDelivery } from '../contract/delivery.ts';
import { mostTokens } from '../shared/json/keyOrder.ts';
import { comparedBody, comparedHeaders, type RawBody } from './comparedBody.ts';
import { deliveryDocument } from './deliveryDocument.ts';

/** A body of more lines is shown as one string: a document does not lay out more lines than this. */
const mostLines = mostTokens / 2 - 1;

/**
 * A delivery as a JSON document to be compared with another one. Fields that always differ, such as the id and the
 * time of arrival, are left out. Headers and keys have the same order in both. A text body that is not JSON is a list
 * of its lines, a binary body a list of the lines of its dump. Masks what the delivery's own document masks.
 * @param first the body that sets the key order
 */
export function comparedDocument(
  delivery: WholeDelivery,
  first: RawBody,
  secrets: readonly string[],
): string {
  const { verdict, reason, method, path, headers } = delivery;
  const about = { verdict, ...(reason !== undefined && { reason }) };
  const request = {
    method,
    path,
    headers: Object.fromEntries(comparedHeaders(Object.entries(headers))),
    ...bodyOfBoth(delivery, first, secrets),
  };
  return deliveryDocument({ ...about, ...request }, secrets);
}

/** The body as JSON, and how it is shown if it is not JSON. */
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
