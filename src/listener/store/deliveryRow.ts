import { isUtf8 } from 'node:buffer';
import * as v from 'valibot';
import { verdicts } from '../../model/deliveries/delivery.ts';
import { headerOf } from '../../webhooks/signature/rawHeaders.ts';
import type { KeptDelivery, Known } from '../../webhooks/deliveries/keptDelivery.ts';

const maybe = <T extends v.GenericSchema>(schema: T) => v.nullable(schema);

/** A row of `deliveries` with its body, its last forward and the start of its run. */
const rowSchema = v.object({
  seq: v.number(),
  revision: v.number(),
  arrived_revision: v.number(),
  id: v.string(),
  received_at: v.number(),
  verdict: v.picklist(verdicts),
  standing: v.picklist(['verified', 'accepted', 'refused']),
  answered: v.number(),
  repeat_of: maybe(v.string()),
  reason: maybe(v.string()),
  run_id: maybe(v.string()),
  app_name: maybe(v.string()),
  method: v.string(),
  path: v.string(),
  headers: v.string(),
  body: v.instance(Uint8Array),
  address: maybe(v.string()),
  status: maybe(v.number()),
  duration_ms: maybe(v.number()),
  answer: maybe(v.string()),
  error: maybe(v.string()),
  started_at: maybe(v.number()),
});

/** A delivery as it was read from the store. */
export interface DeliveryRow {
  seq: number;
  /** When it was last changed, and when it came, by the count of the store. */
  revision: number;
  arrivedRevision: number;
  kept: KeptDelivery;
  known: Known;
  /** When its run was started, where that is known. Unix milliseconds. */
  runStartedAt?: number;
}

/** The columns of {@link readRow}, of `deliveries` as d, `bodies` as b, the last forward as a and the run as r. */
export const rowColumns = `d.seq, d.revision, d.arrived_revision, d.id, d.received_at, d.verdict, d.standing,
  d.answered, d.repeat_of, d.reason, d.run_id, d.app_name, d.method, d.path, d.headers, b.body,
  a.address, a.status, a.duration_ms, a.answer, a.error, r.started_at`;

/** Where those columns come from. */
export const rowTables = `deliveries d JOIN bodies b ON b.seq = d.seq
  LEFT JOIN runs r ON r.run_id = d.run_id LEFT JOIN attempts a ON a.number =
  (SELECT max(number) FROM attempts WHERE seq = d.seq AND kind = 'forward')`;

/** @throws v.ValiError where the row is not one that this code writes */
export function readRow(row: unknown): DeliveryRow {
  const read = v.parse(rowSchema, row);
  const { address, status, answer, error } = read;
  const headers = read.headers.split('\n');
  return {
    seq: read.seq,
    revision: read.revision,
    arrivedRevision: read.arrived_revision,
    ...(read.started_at !== null && { runStartedAt: read.started_at }),
    kept: {
      id: read.id,
      receivedAt: read.received_at,
      verdict: read.verdict,
      standing: read.standing,
      answered: read.answered,
      ...(read.repeat_of !== null && { repeatOf: read.repeat_of }),
      ...(read.reason !== null && { reason: read.reason }),
      method: read.method,
      path: read.path,
      rawHeaders: headers.length > 1 ? headers : [],
      body: Buffer.from(read.body.buffer, read.body.byteOffset, read.body.byteLength),
    },
    known: {
      ...(read.run_id !== null && { runId: read.run_id }),
      ...(read.app_name !== null && { appName: read.app_name }),
      ...(address !== null && {
        forward: {
          to: address,
          ...(status !== null && { status }),
          durationMs: read.duration_ms ?? 0,
          ...(answer !== null && { answer }),
          ...(error !== null && { error }),
        },
      }),
    },
  };
}

/** What is written of a delivery, by the names of the columns; the body stands in a table of its own. */
export function writtenRow(delivery: KeptDelivery) {
  return {
    id: delivery.id,
    received_at: delivery.receivedAt,
    verdict: delivery.verdict,
    standing: delivery.standing,
    answered: delivery.answered,
    request_id: headerOf(delivery.rawHeaders, 'x-request-id') ?? null,
    repeat_of: delivery.repeatOf ?? null,
    reason: delivery.reason ?? null,
    method: delivery.method,
    path: delivery.path,
    // No part holds a line feed: HTTP forbids it in a header.
    headers: delivery.rawHeaders.join('\n'),
    bytes: delivery.body.byteLength,
    is_text: isUtf8(delivery.body) ? 1 : 0,
  };
}
