import { hash } from 'node:crypto';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { fewJsonTokens } from '../../model/json/jsonText.ts';
import { inKeyOrderOf, mostTokens } from '../../model/json/keyOrder.ts';
import { masked } from '../../model/masking/masking.ts';
import { hexDump } from '../explanation/hexDump.ts';
import { bodyOf } from './deliveryBody.ts';
import { deliveryDocument, withoutSecrets } from './deliveryDocument.ts';

/** How much of a body is compared line by line that is no text, in bytes. */
const dumpedBytes = 256 * 1024;
/** A text of more lines is shown as one text: a document lays out no more of them. */
const mostLines = mostTokens / 2 - 1;

/**
 * A delivery as a JSON document to be compared with another one: what is different each time by its nature, such as its
 * id and when it came, is left out, and headers and keys stand in one order in both. A body that is no JSON is a list
 * of its lines, one that is no text a list of the lines of its dump. What the delivery's own document masks is masked.
 * @param first the one whose order counts
 */
export function comparedDocument(
  delivery: Delivery,
  first: Pick<Delivery, 'body' | 'bodyEncoding'>,
  secrets: readonly string[],
): string {
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
  delivery: Pick<Delivery, 'body' | 'bodyEncoding'>,
  first: Pick<Delivery, 'body' | 'bodyEncoding'>,
  secrets: readonly string[],
): { body: string; bodyShownAs?: string; sha256?: string } {
  const { body } = delivery;
  if (delivery.bodyEncoding !== undefined) {
    const bytes = bodyOf(delivery);
    const dump = hexDump(withoutSecretBytes(bytes, secrets), dumpedBytes);
    // What lies behind the end of the dump differs in this.
    const digest = bytes.length > dumpedBytes && { sha256: hash('sha256', bytes) };
    return { body: JSON.stringify(linesOf(dump)), bodyShownAs: 'hex', ...digest };
  }
  if (Array.isArray(fewJsonTokens(body, mostTokens)))
    return { body: first.bodyEncoding === undefined ? inKeyOrderOf(first.body, body) : body };
  const lines = linesOf(withoutSecrets(body, secrets));
  const isShort = lines.length > 1 && lines.length <= mostLines;
  return isShort ? { body: JSON.stringify(lines), bodyShownAs: 'lines' } : { body };
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** A dump would show a secret in pieces. */
function withoutSecretBytes(bytes: Buffer, secrets: readonly string[]): Buffer {
  // guard: masked there as in the document of a delivery, in bytes too
  const latin = secrets.map((secret) => Buffer.from(secret).toString('latin1'));
  const text = withoutSecrets(bytes.toString('latin1'), latin);
  return Buffer.from(text.replaceAll(masked, '*'.repeat(masked.length)), 'latin1');
}
