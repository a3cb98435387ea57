import * as v from 'valibot';
import { verdicts } from '../../contract/values.ts';
import {
  attemptKinds,
  type DeliverySummary,
  mostAttempts,
  summarise,
} from '../../model/deliveries/delivery.ts';
import { type KeptDelivery, type Known, toDelivery } from '../../webhooks/deliveries/keptDelivery.ts';

const placeSchema = v.object({
  seq: v.number(),
  /** The store revisions at which it last changed, and at which it arrived. */
  revision: v.number(),
  arrivedRevision: v.number(),
  /** When its run was started, in Unix milliseconds; absent if unknown. */
  runStartedAt: v.exactOptional(v.number()),
});

const keptSchema = v.object({
  id: v.string(),
  receivedAt: v.number(),
  verdict: v.picklist(verdicts),
  standing: v.picklist(['verified', 'accepted', 'refused']),
  answered: v.number(),
  repeatOf: v.exactOptional(v.string()),
  firstPath: v.exactOptional(v.string()),
  reason: v.exactOptional(v.string()),
  method: v.string(),
  path: v.string(),
  rawHeaders: v.pipe(
    v.string(),
    v.transform((text) => (text === '' ? [] : text.split('\n'))),
  ),
  body: v.pipe(
    v.instance(Uint8Array),
    v.transform((bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
  ),
});

const sizeSchema = v.object({ bytes: v.number() });

const attemptSchema = v.object({
  at: v.pipe(
    v.number(),
    v.transform((at) => new Date(at).toISOString()),
  ),
  kind: v.picklist(attemptKinds),
  to: v.string(),
  status: v.exactOptional(v.number()),
  durationMs: v.number(),
  answer: v.exactOptional(v.string()),
  error: v.exactOptional(v.string()),
});

const knownSchema = v.object({
  runId: v.exactOptional(v.string()),
  appName: v.exactOptional(v.string()),
  attempts: v.pipe(
    v.string(),
    v.transform((text): unknown => JSON.parse(text, (_, value: unknown) => value ?? undefined)),
    v.array(attemptSchema),
  ),
});

/** A delivery as it was read from the store. */
export type DeliveryRow = v.InferOutput<typeof placeSchema> & { kept: KeptDelivery; known: Known };

const select = (body: string, from: string): string => `SELECT d.seq, d.revision,
  d.arrived_revision AS arrivedRevision, d.id,
  d.received_at AS receivedAt, d.verdict, d.standing, d.answered, d.repeat_of AS repeatOf, d.first_path AS firstPath, d.reason,
  d.run_id AS runId, d.app_name AS appName, d.method, d.path, d.headers AS rawHeaders, d.bytes, ${body} AS body,
  r.started_at AS runStartedAt, (SELECT json_group_array(json_object('at', at, 'kind', kind, 'to', address,
    'status', status, 'durationMs', duration_ms, 'answer', answer, 'error', error) ORDER BY number)
    FROM (SELECT * FROM attempts WHERE seq = d.seq ORDER BY number DESC LIMIT ${mostAttempts})) AS attempts
  FROM ${from} LEFT JOIN runs r ON r.run_id = d.run_id`;

/** Selects what {@link readRow} reads: `deliveries` as d with the body, the last attempts and the run. */
export const selectRows = select('b.body', 'deliveries d JOIN bodies b ON b.seq = d.seq');
/** Selects what {@link readHead} reads: the same without the body, which may be large. */
export const selectHeads = select('zeroblob(0)', 'deliveries d');

/** @throws v.ValiError if this code cannot have written the row */
export function readRow(row: object): DeliveryRow {
  const present = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  return {
    ...v.parse(placeSchema, present),
    kept: v.parse(keptSchema, present),
    known: v.parse(knownSchema, present),
  };
}

/** A delivery as lists show it. */
export interface DeliveryHead {
  summary: DeliverySummary;
  /** In lower case. */
  headerNames: string[];
}

/** @throws v.ValiError if this code cannot have written the row */
export function readHead(row: object): DeliveryHead {
  const { kept, known } = readRow(row);
  const { bytes } = v.parse(sizeSchema, row);
  const delivery = { ...toDelivery(kept, known), bytes };
  return { summary: summarise(delivery), headerNames: Object.keys(delivery.headers) };
}
