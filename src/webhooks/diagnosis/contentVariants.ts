import { bodyVariants } from './bodyVariants.ts';
import { t } from '../../model/text/l10n.ts';
import type { Cause } from './cause.ts';
import { isJsonObject } from '../../model/json/jsonObject.ts';
import { fewJsonTokens } from '../../model/json/jsonText.ts';
import type { NamedHeaders, SignatureHeaders } from '../signature/signature.ts';

/** What the sender may have signed, and how it differs from what arrived. */
export interface ContentVariant {
  requestId: string;
  timestamp: string;
  body: Uint8Array;
  causes: Cause[];
}

const maxCandidates = 64;
const maxIdLength = 256;

/**
 * The signed content as it arrived, then as it may have been before something changed it.
 * @param maxTokens JSON with more tokens is not re-serialised
 * @param cut called when variants are left out because they would take too long
 */
export function* contentVariants(
  { requestId, timestamp }: SignatureHeaders,
  headers: NamedHeaders,
  body: Uint8Array,
  maxTokens: number,
  cut: () => void,
): Generator<ContentVariant> {
  yield { requestId, timestamp, body, causes: [] };
  for (const other of timestamps(timestamp)) {
    const text = unitText(timestamp);
    yield { requestId, timestamp: other, body, causes: [{ kind: 'timestampUnit', text }] };
  }
  const bodyText = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const found = fewJsonTokens(bodyText, maxTokens);
  if (found === 'tooMany') cut();
  const tokens = found === 'tooMany' ? undefined : found;
  const tried = new Set([requestId]);
  for (const { id, source } of requestIds(requestId, headers, tokens && JSON.parse(bodyText))) {
    if (tried.size > maxCandidates) {
      cut();
      break;
    }
    if (id === '' || id.length > maxIdLength || tried.has(id)) continue;
    tried.add(id);
    const text = t(
      'X-Request-Id was rewritten on the way, by a tunnel or a proxy: the id that was signed is in {0}',
      source,
    );
    yield { requestId: id, timestamp, body, causes: [{ kind: 'requestIdRewritten', text }] };
  }
  for (const variant of bodyVariants(body, tokens)) {
    yield { requestId, timestamp, body: variant.body, causes: [variant.cause] };
  }
}

/** The same time in the other unit. */
function timestamps(timestamp: string): string[] {
  const value = Number(timestamp);
  return isInMilliseconds(timestamp)
    ? [Math.floor(value / 1000).toString(), (value / 1000).toString()]
    : [(value * 1000).toFixed(0)];
}

function unitText(timestamp: string): string {
  return isInMilliseconds(timestamp)
    ? t('the timestamp header is in milliseconds and seconds were signed: send what was signed')
    : t('the timestamp was signed in milliseconds and its header is in seconds: sign what is sent');
}

/** Unix seconds pass this value in the year 5138. */
export function isInMilliseconds(timestamp: string): boolean {
  return Number(timestamp) > 1e11;
}

/** Where an id that was rewritten on the way may still be found: in the header itself, another one, the body. */
function* requestIds(
  received: string,
  headers: NamedHeaders,
  json: unknown,
): Generator<{ id: string; source: string }> {
  const headerName = 'x-request-id';
  for (const part of received.split(',')) yield { id: part.trim(), source: headerName };
  yield { id: received.toLowerCase(), source: headerName };
  yield { id: received.toUpperCase(), source: headerName };
  yield { id: received.replaceAll('-', ''), source: headerName };
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') yield { id: value, source: name };
  }
  for (const [name, value] of isJsonObject(json) ? Object.entries(json) : []) {
    if (typeof value !== 'string' || value.length > maxIdLength) continue;
    // Header text is one character a byte. The name of a field is the sender's: only a plain one is quoted.
    const source = /^[\w.-]{1,64}$/.test(name) ? name : 'body';
    yield { id: Buffer.from(value).toString('latin1'), source };
  }
}
