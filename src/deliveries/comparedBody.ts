import { hash } from 'node:crypto';
import type { WholeDelivery } from '../contract/delivery.ts';
import { fewJsonTokens } from '../shared/json/jsonText.ts';
import { differing, inKeyOrderOf, mostTokens } from '../shared/json/keyOrder.ts';
import { masked } from '../shared/masking/likelySecrets.ts';
import { bodyOf, hexDump } from './deliveryBody.ts';
import { withoutSecrets } from './deliveryDocument.ts';

/** What the service writes anew into each envelope: comparing it says nothing. */
const envelope = new Set(['run_id', 'runId', 'request_id', 'requestId', 'timestamp']);

/** A header that differs each time. */
const differingHeader =
  /^(date|content-length|x-request-id|x-run-id|x-[\w-]+-webhook-(timestamp|signature))$/i;

/** The headers in one order, without the values that differ each time. */
export function comparedHeaders(
  headers: readonly (readonly [name: string, value: string])[],
): [name: string, value: string][] {
  return headers
    .map(([name, value]): [string, string] => [name, differingHeader.test(name) ? differing : value])
    .sort(([one], [other]) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1));
}

/** How much of a binary body is dumped and compared line by line, in bytes. */
const dumpedBytes = 256 * 1024;

/** A body as text, or as base64 if it is not text. */
export type RawBody = Pick<WholeDelivery, 'body' | 'bodyEncoding'>;

/** The form in which a body is compared with another one. */
export type ComparedBody =
  | { kind: 'json'; text: string }
  | { kind: 'lines'; lines: string[] }
  /** `sha256` of the whole body if the dump is cut off: shows a difference after the cut. */
  | { kind: 'hex'; lines: string[]; sha256?: string };

/**
 * Prepares a body for comparison. JSON gets the key order of the first body, and what always differs is the same in
 * both; a binary body becomes a hex dump.
 * @param first the body that sets the key order
 * @param secrets masked in the result, except in JSON
 */
export function comparedBody(one: RawBody, first: RawBody, secrets: readonly string[]): ComparedBody {
  const { body } = one;
  if (one.bodyEncoding !== undefined) {
    const bytes = bodyOf(one);
    const lines = linesOf(hexDump(withoutSecretBytes(bytes, secrets), dumpedBytes));
    return { kind: 'hex', lines, ...(bytes.length > dumpedBytes && { sha256: hash('sha256', bytes) }) };
  }
  if (Array.isArray(fewJsonTokens(body, mostTokens))) {
    const text =
      first.bodyEncoding === undefined ? inKeyOrderOf(first.body, body, (name) => envelope.has(name)) : body;
    return { kind: 'json', text };
  }
  return { kind: 'lines', lines: linesOf(withoutSecrets(body, secrets)) };
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** Masks secrets before the dump, which would show them in pieces. */
function withoutSecretBytes(bytes: Buffer, secrets: readonly string[]): Buffer {
  // guard S98: Secrets are masked in a comparison as in the document of a delivery, in bytes too.
  const latin = secrets.map((secret) => Buffer.from(secret).toString('latin1'));
  const text = withoutSecrets(bytes.toString('latin1'), latin);
  return Buffer.from(text.replaceAll(masked, '*'.repeat(masked.length)), 'latin1');
}
