import { bodyVariants, maxReserialisedBytes } from './bodyVariants.ts';
import type { Cause } from './cause.ts';
import type { Headers, SignatureHeaders } from './signature.ts';

/** What the sender may have signed, and how it differs from what arrived. */
export interface ContentVariant {
  requestId: string;
  timestamp: string;
  body: Uint8Array;
  causes: Cause[];
}

const maxCandidates = 64;
const maxIdLength = 256;

/** The signed content as it arrived, then as it may have been before something changed it. */
export function* contentVariants(
  { requestId, timestamp }: SignatureHeaders,
  headers: Headers,
  body: Uint8Array,
): Generator<ContentVariant> {
  yield { requestId, timestamp, body, causes: [] };
  for (const { text, cause } of timestamps(timestamp)) {
    yield { requestId, timestamp: text, body, causes: [cause] };
  }
  const tried = new Set([requestId]);
  for (const { id, source } of requestIds(requestId, headers, body)) {
    if (tried.size > maxCandidates) break;
    if (id === '' || id.length > maxIdLength || tried.has(id)) continue;
    tried.add(id);
    const cause: Cause = { kind: 'requestIdRewritten', original: id, source };
    yield { requestId: id, timestamp, body, causes: [cause] };
  }
  for (const variant of bodyVariants(body)) {
    yield { requestId, timestamp, body: variant.body, causes: [variant.cause] };
  }
}

function* timestamps(timestamp: string): Generator<{ text: string; cause: Cause }> {
  const value = Number(timestamp);
  if (value > 1e11) {
    const cause: Cause = { kind: 'timestampUnit', header: 'milliseconds' };
    yield { text: Math.floor(value / 1000).toString(), cause };
    yield { text: (value / 1000).toString(), cause };
  } else {
    yield { text: (value * 1000).toFixed(0), cause: { kind: 'timestampUnit', header: 'seconds' } };
  }
}

/** Where an id that was rewritten on the way may still be found: in the header itself, another one, the body. */
function* requestIds(
  received: string,
  headers: Headers,
  body: Uint8Array,
): Generator<{ id: string; source: string }> {
  const own = 'x-request-id';
  for (const part of received.split(',')) yield { id: part.trim(), source: own };
  yield { id: received.toLowerCase(), source: own };
  yield { id: received.toUpperCase(), source: own };
  yield { id: received.replaceAll('-', ''), source: own };
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') yield { id: value, source: name };
  }
  for (const [name, value] of Object.entries(fieldsOf(body))) {
    if (typeof value !== 'string') continue;
    // Header text is one character a byte. The name of a field is the sender's: only a plain one is quoted.
    const source = /^[\w.-]{1,64}$/.test(name) ? name : 'body';
    yield { id: Buffer.from(value).toString('latin1'), source };
  }
}

function fieldsOf(body: Uint8Array): object {
  if (body.byteLength > maxReserialisedBytes) return {};
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // A body that is not JSON holds no field to look at.
  }
}
