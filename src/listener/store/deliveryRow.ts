import * as v from 'valibot';
import { verdicts } from '../../contract/values.ts';
import { attemptKinds, type Delivery, mostAttempts } from '../../contract/delivery.ts';
import { type KeptDelivery, toDelivery } from '../../deliveries/keptDelivery.ts';

const rawHeadersSchema = v.pipe(
  v.string(),
  v.transform((text) => (text === '' ? [] : text.split('\n'))),
);

/** How a delivery came, but for its body. */
const headEntries = {
  id: v.string(),
  receivedAt: v.number(),
  verdict: v.picklist(verdicts),
  standing: v.picklist(['verified', 'accepted', 'refused']),
  answered: v.number(),
  repeatOf: v.exactOptional(v.string()),
  firstPath: v.exactOptional(v.string()),
  madeOf: v.exactOptional(v.string()),
  waitedMs: v.exactOptional(v.number()),
  reason: v.exactOptional(v.string()),
  method: v.string(),
  path: v.string(),
  rawHeaders: rawHeadersSchema,
};

const failurePlaceSchema = v.object({
  file: v.string(),
  line: v.number(),
  column: v.exactOptional(v.number()),
  message: v.string(),
});

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
  failedAt: v.exactOptional(
    v.object({ ...failurePlaceSchema.entries, oneOf: v.exactOptional(v.array(failurePlaceSchema)) }),
  ),
});

const deliverySchema = v.object({
  seq: v.number(),
  /** The store revisions at which it last changed, and at which it arrived. */
  revision: v.number(),
  arrivedRevision: v.number(),
  ...headEntries,
  bytes: v.number(),
  runId: v.exactOptional(v.string()),
  appName: v.exactOptional(v.string()),
  runStartedAt: v.exactOptional(v.number()),
  attempts: v.pipe(
    v.string(),
    v.transform((text): unknown => JSON.parse(text, (_, value: unknown) => value ?? undefined)),
    v.array(attemptSchema),
  ),
});

const keptSchema = v.object({
  ...headEntries,
  appName: v.exactOptional(v.string()),
  body: v.pipe(
    v.instance(Uint8Array),
    v.transform((bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
  ),
});

/** A delivery, and when it last changed. */
export interface ChangedDelivery {
  seq: number;
  /** The store revisions at which it last changed, and at which it arrived. */
  revision: number;
  arrivedRevision: number;
  delivery: Delivery;
}

const headColumns = `d.id, d.received_at AS receivedAt, d.verdict, d.standing, d.answered, d.repeat_of AS repeatOf,
  d.first_path AS firstPath, d.made_of AS madeOf, d.waited_ms AS waitedMs, d.reason, d.method, d.path, d.headers AS rawHeaders`;

/** Selects what {@link readDelivery} reads: `deliveries` as d with the last attempts and the run, without the body. */
export const selectDeliveries = `SELECT d.seq, d.revision, d.arrived_revision AS arrivedRevision, ${headColumns}, d.bytes,
  d.run_id AS runId, d.app_name AS appName, r.started_at AS runStartedAt,
  (SELECT json_group_array(json_object('at', at, 'kind', kind, 'to', address,
    'status', status, 'durationMs', duration_ms, 'answer', answer, 'error', error,
    'failedAt', json(failed_at)) ORDER BY number)
    FROM (SELECT * FROM attempts WHERE seq = d.seq ORDER BY number DESC LIMIT ${mostAttempts})) AS attempts
  FROM deliveries d LEFT JOIN runs r ON r.run_id = d.run_id`;

/** Selects what {@link readKept} reads: `deliveries` as d with the body. */
export const selectKept = `SELECT ${headColumns}, d.app_name AS appName, b.body FROM deliveries d JOIN bodies b ON b.seq = d.seq`;

/** @throws v.ValiError if this code cannot have written the row */
export function readDelivery(row: object): ChangedDelivery {
  const { seq, revision, arrivedRevision, ...read } = v.parse(deliverySchema, withoutNulls(row));
  return { seq, revision, arrivedRevision, delivery: toDelivery(read, read) };
}

/** @throws v.ValiError if this code cannot have written the row */
export function readKept(row: object): KeptDelivery {
  return v.parse(keptSchema, withoutNulls(row));
}

function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

/** How many deliveries are held. */
const mostHeld = 2000;

/**
 * The deliveries that changed last, as they were committed: windows are told of them without a look into the file.
 * Changes are added within a transaction, and count once it is committed.
 */
export class RecentChanges {
  /** By id, in the order of their last change. */
  readonly #committed = new Map<string, ChangedDelivery>();
  /** What the open transaction changes; undefined for what it deletes. */
  #pending = new Map<string, ChangedDelivery | undefined>();
  #isCleared = false;
  /** All changes after the revision `#after`, up to `#until`, are held. */
  #after = 0;
  #until = -1;
  #version: unknown;

  /**
   * Call this at the start of a transaction.
   * @param revision that of the file
   * @param version changes when another program has written: `PRAGMA data_version`
   */
  begin(revision: number, version: unknown): void {
    this.#pending.clear();
    this.#isCleared = false;
    if (revision === this.#until && version === this.#version) return;
    // Another program has written.
    this.#version = version;
    this.#committed.clear();
    this.#after = revision;
    this.#until = revision;
  }

  /** A delivery was added or changed. */
  add(changed: ChangedDelivery): void {
    const { id } = changed.delivery;
    this.#pending.delete(id);
    this.#pending.set(id, changed);
  }

  /** A delivery was deleted. */
  remove(id: string): void {
    this.#pending.set(id, undefined);
  }

  /** All were deleted. */
  clear(): void {
    this.#pending.clear();
    this.#isCleared = true;
  }

  /** Call this when the transaction was committed. @param revision that of the file */
  commit(revision: number): void {
    if (this.#isCleared) this.#committed.clear();
    for (const [id, changed] of this.#pending) {
      this.#committed.delete(id);
      if (changed !== undefined) this.#committed.set(id, changed);
    }
    this.#until = revision;
    for (const [id, oldest] of this.#committed) {
      if (this.#committed.size <= mostHeld) break;
      this.#after = oldest.revision;
      this.#committed.delete(id);
    }
  }

  /** A delivery as it is in the open transaction; undefined if it is not held. */
  get(id: string): ChangedDelivery | undefined {
    if (this.#pending.has(id) || this.#isCleared) return this.#pending.get(id);
    return this.#committed.get(id);
  }

  /**
   * The deliveries that changed after a revision, in the order of their last change.
   * @param current the revision of the file
   * @param version as for {@link begin}
   * @returns undefined if not all of these are held
   */
  since(revision: number, current: number, version: unknown, limit: number): ChangedDelivery[] | undefined {
    if (current !== this.#until || version !== this.#version || revision < this.#after) return undefined;
    return [...this.#committed.values()].filter((one) => one.revision > revision).slice(0, limit);
  }
}
