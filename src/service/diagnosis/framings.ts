import { isJsonObject } from '../../shared/json/jsonObject.ts';
import { t } from '../../shared/text/l10n.ts';
import type { NamedHeaders, SignatureHeaders } from '../signature/signature.ts';
import type { Cause } from './cause.ts';

/** What the sender may have signed around the body, and how it differs from what is to be signed. */
export interface Framing {
  /** Header text is one character a byte. */
  before: string;
  after: string;
  causes: Cause[];
}

const maxCandidates = 64;
const maxIdLength = 256;

type Part = 'requestId' | 'timestamp' | 'body' | 'v1' | 'v0';

/** The orders in which senders sign other than the right one, the likeliest first. */
const orders: readonly (readonly Part[])[] = [
  ['timestamp', 'body'],
  ['body'],
  ['timestamp', 'requestId', 'body'],
  ['requestId', 'body'],
  ['body', 'timestamp'],
  ['body', 'requestId'],
  ['requestId', 'body', 'timestamp'],
  ['timestamp', 'body', 'requestId'],
  ['body', 'requestId', 'timestamp'],
  ['body', 'timestamp', 'requestId'],
  ['v1', 'timestamp', 'body'],
  ['v0', 'timestamp', 'body'],
  ['v1', 'requestId', 'timestamp', 'body'],
];
const separators = ['.', ':', '', '\n', ',', '|'];
const right: readonly Part[] = ['requestId', 'timestamp', 'body'];

/**
 * What may stand around the body: what is to be signed first, then one change of it at a time, then two.
 * @param cut called when some are left out because they would take too long
 * @param withPairs whether changes come two at a time too
 */
export function* framings(
  { requestId, timestamp }: SignatureHeaders,
  headers: NamedHeaders,
  json: unknown,
  cut: () => void,
  withPairs: boolean,
): Generator<Framing> {
  const ids = requestIds(requestId, headers, json, cut);
  const times = timestamps(timestamp);
  const asItCame = { id: requestId, time: timestamp, causes: [] };
  const changed = [
    ...times.map(({ time, cause }) => ({ ...asItCame, time, causes: [cause] })),
    ...ids.map(({ id, cause }) => ({ ...asItCame, id, causes: [cause] })),
  ];
  yield framed(asItCame, right, '.');
  for (const values of changed) yield framed(values, right, '.');
  yield* inOtherOrders(asItCame);
  if (!withPairs) return;
  for (const { id, cause } of ids) {
    for (const other of times)
      yield framed({ id, time: other.time, causes: [cause, other.cause] }, right, '.');
  }
  for (const values of changed) yield* inOtherOrders(values);
}

interface Values {
  id: string;
  time: string;
  causes: Cause[];
}

function* inOtherOrders(values: Values): Generator<Framing> {
  for (const separator of separators) {
    for (const order of orders) {
      // One part has nothing to be separated from.
      if (order.length > 1 || separator === '.') yield framed(values, order, separator);
    }
    if (separator !== '.') yield framed(values, right, separator);
  }
}

function framed({ id, time, causes }: Values, order: readonly Part[], separator: string): Framing {
  const parts: Record<Part, string> = { requestId: id, timestamp: time, body: '', v0: 'v0', v1: 'v1' };
  const at = order.indexOf('body');
  const isRight = order === right && separator === '.';
  const text = (part: Part): string => parts[part];
  return {
    before: order
      .slice(0, at)
      .map((part) => text(part) + separator)
      .join(''),
    after: order
      .slice(at + 1)
      .map((part) => separator + text(part))
      .join(''),
    causes: isRight ? causes : [...causes, { kind: 'signedContent', text: orderText(order, separator) }],
  };
}

function orderText(order: readonly Part[], separator: string): string {
  if (order.length === 1) return t('only body signed: sign {0}', nameOf(right, '.'));
  return t('other parts signed: {0} in place of {1}', nameOf(order, separator), nameOf(right, '.'));
}

/** The parts as a reader knows them: `X-Request-Id.timestamp.body`. */
function nameOf(order: readonly Part[], separator: string): string {
  const names: Record<Part, string> = {
    requestId: 'X-Request-Id',
    timestamp: t('timestamp'),
    body: t('body'),
    v0: 'v0',
    v1: 'v1',
  };
  const shown = separator === '' ? ' + ' : separator === '\n' ? String.raw`\n` : separator;
  return order.map((part) => names[part]).join(shown);
}

/** The same time in another unit. */
function timestamps(timestamp: string): { time: string; cause: Cause }[] {
  const value = Number(timestamp);
  const text = isInMilliseconds(timestamp)
    ? t('sent in milliseconds: seconds were signed, so send what was signed')
    : t('milliseconds signed: the timestamp header is in seconds, so sign what is sent');
  const others = isInMilliseconds(timestamp)
    ? [Math.floor(value / 1000).toString(), (value / 1000).toString()]
    : [(value * 1000).toFixed(0)];
  return others.map((time) => ({ time, cause: { kind: 'timestampUnit', text } }));
}

/** Unix seconds pass this value in the year 5138. */
export function isInMilliseconds(timestamp: string): boolean {
  return Number(timestamp) > 1e11;
}

/** The ids that may have been signed. */
function requestIds(
  received: string,
  headers: NamedHeaders,
  json: unknown,
  cut: () => void,
): { id: string; cause: Cause }[] {
  const found = new Map<string, string>();
  for (const { id, source } of idsElsewhere(received, headers, json)) {
    if (id === '' || id === received || id.length > maxIdLength || found.has(id)) continue;
    if (found.size >= maxCandidates) {
      cut();
      break;
    }
    found.set(id, source);
  }
  return [...found].map(([id, source]) => {
    const text = t('other X-Request-Id: a tunnel or a proxy changed it, and the signed id is in {0}', source);
    return { id, cause: { kind: 'requestIdRewritten', text } };
  });
}

/** Where an id that was rewritten on the way may still be found: in the header itself, another one, the body. */
function* idsElsewhere(
  received: string,
  headers: NamedHeaders,
  json: unknown,
): Generator<{ id: string; source: string }> {
  for (const part of received.split(',')) yield { id: part.trim(), source: 'x-request-id' };
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
