import { isUtf8 } from 'node:buffer';
import * as v from 'valibot';
import type { Delivery, Forward, Verdict } from '../model/delivery.ts';
import { headersOf } from './rawHeaders.ts';

const verdicts: readonly Verdict[] = ['verified', 'unsigned', 'mismatch', 'stale', 'malformed', 'no-secret'];
const deliveryKind = 1;
const noteKind = 2;
/** Kind, verdict, status, time of arrival, length of the head. */
const fixedBytes = 1 + 1 + 2 + 8 + 4;

/** A delivery as the journal keeps it, with its headers and its body exactly as they came. */
export interface KeptDelivery {
  id: string;
  /** Unix milliseconds. */
  receivedAt: number;
  verdict: Verdict;
  answered: number;
  repeatOf?: string;
  reason?: string;
  method: string;
  path: string;
  /** Names and values in turn, one character a byte, as Node's `rawHeaders`. */
  rawHeaders: readonly string[];
  body: Uint8Array;
}

/** What became known of a delivery after it was answered. */
export interface Note {
  id: string;
  forward?: Forward;
  appName?: string;
  reason?: string;
  /** The status of the local app, in the mode `passThrough`; it stays 0 where there was none. */
  answered?: number;
}

export type JournalRecord = { kind: 'delivery'; delivery: KeptDelivery } | { kind: 'note'; note: Note };

const noteSchema = v.object({
  id: v.string(),
  forward: v.exactOptional(
    v.object({
      to: v.string(),
      status: v.exactOptional(v.number()),
      durationMs: v.number(),
      answer: v.exactOptional(v.string()),
      error: v.exactOptional(v.string()),
    }),
  ),
  appName: v.exactOptional(v.string()),
  reason: v.exactOptional(v.string()),
  answered: v.exactOptional(v.number()),
});

const noteTextSchema = v.pipe(v.string(), v.parseJson(), noteSchema);

/** The parts of a delivery's record. No JSON: this is on the way to the answer. */
export function encodeDelivery(delivery: KeptDelivery): Uint8Array[] {
  const { id, repeatOf = '', reason = '', method, path, rawHeaders, body } = delivery;
  // No part can hold a line feed: HTTP forbids it in a header, and what Runhook writes has none.
  const text = `${id}\n${repeatOf}\n${reason}\n${method}\n${path}\n${rawHeaders.join('\n')}`;
  const textBytes = Buffer.byteLength(text);
  const head = Buffer.allocUnsafe(fixedBytes + textBytes);
  head[0] = deliveryKind;
  head[1] = verdicts.indexOf(delivery.verdict);
  head.writeUInt16LE(delivery.answered, 2);
  head.writeDoubleLE(delivery.receivedAt, 4);
  head.writeUInt32LE(textBytes, 12);
  head.write(text, fixedBytes);
  return [head, body];
}

export function encodeNote(note: Note): Uint8Array[] {
  return [Buffer.of(noteKind), Buffer.from(JSON.stringify(note))];
}

/** Reads a record; undefined for one that is none, such as a later version may have written. */
export function decodeRecord(payload: Buffer): JournalRecord | undefined {
  if (payload[0] === noteKind) {
    const read = v.safeParse(noteTextSchema, payload.toString('utf8', 1));
    return read.success ? { kind: 'note', note: read.output } : undefined;
  }
  if (payload[0] !== deliveryKind || payload.length < fixedBytes) return undefined;
  const verdict = verdicts[payload[1] ?? -1];
  const receivedAt = payload.readDoubleLE(4);
  if (verdict === undefined || Number.isNaN(new Date(receivedAt).getTime())) return undefined;
  const bodyAt = fixedBytes + payload.readUInt32LE(12);
  const text = payload.toString('utf8', fixedBytes, bodyAt).split('\n');
  const [id = '', repeatOf, reason, method = '', path = '', ...rawHeaders] = text;
  return {
    kind: 'delivery',
    delivery: {
      id,
      receivedAt,
      verdict,
      answered: payload.readUInt16LE(2),
      ...(repeatOf && { repeatOf }),
      ...(reason && { reason }),
      method,
      path,
      rawHeaders: rawHeaders.length > 1 ? rawHeaders : [],
      body: payload.subarray(bodyAt),
    },
  };
}

/** The delivery as the public contract gives it. */
export function toDelivery(kept: KeptDelivery, note: Omit<Note, 'id'>, runId: string | undefined): Delivery {
  const headers = headersOf(kept.rawHeaders);
  const requestId = headers['x-request-id'];
  const reason = note.reason ?? kept.reason;
  const sentAt = sentAtOf(headers);
  const isText = isUtf8(kept.body);
  const body = Buffer.from(kept.body.buffer, kept.body.byteOffset, kept.body.byteLength);
  return {
    id: kept.id,
    receivedAt: new Date(kept.receivedAt).toISOString(),
    ...(requestId !== undefined && { requestId }),
    ...(sentAt !== undefined && { sentAt }),
    verdict: kept.verdict,
    ...(reason !== undefined && { reason }),
    ...(runId !== undefined && { runId }),
    ...(note.appName !== undefined && { appName: note.appName }),
    method: kept.method,
    path: kept.path,
    headers,
    body: body.toString(isText ? 'utf8' : 'base64'),
    ...(!isText && { bodyEncoding: 'base64' as const }),
    bytes: body.length,
    answered: note.answered ?? kept.answered,
    ...(kept.repeatOf !== undefined && { repeatOf: kept.repeatOf }),
    ...(note.forward !== undefined && { forward: note.forward }),
  };
}

/** When the service says that it sent it: the timestamp header of whatever vendor, in Unix seconds. */
function sentAtOf(headers: Readonly<Record<string, string>>): string | undefined {
  const name = Object.keys(headers).find((one) => /^x-.+-webhook-timestamp$/.test(one));
  const milliseconds = Number(headers[name ?? ''] || Number.NaN) * 1000;
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
