import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { isSuccess } from '../../model/service/isSuccess.ts';
import type { Note } from '../../webhooks/deliveries/keptDelivery.ts';
import { bytesParameter } from './database.ts';

/** How many deliveries are remembered at most; then the oldest are forgotten. */
export const mostRemembered = 100_000;
/** How long each is remembered at least, in milliseconds: the service itself repeats within that time. */
const leastMs = 10 * 60_000;

/** By what a repeat is recognised. It holds no byte of the delivery, so it may stay when that is cleared. */
export function repeatHash(requestId: string, body: Uint8Array): Buffer {
  // The length says where the id ends. Header text is one character a byte.
  return createHash('sha256').update(`${requestId.length}.${requestId}`, 'latin1').update(body).digest();
}

/** Until when a delivery is remembered: as long as anybody could send it again and have it verify. Unix milliseconds. */
export function rememberedUntil(receivedAt: number, toleranceSeconds: number): number {
  // Where the timestamp is not checked, that is without end, and only the number of those remembered is limited.
  if (toleranceSeconds <= 0) return Number.MAX_SAFE_INTEGER;
  // It may have been signed as far ahead of the clock as it may be late.
  const lasts = Math.max(2 * Math.ceil(toleranceSeconds) * 1000, leastMs);
  return Math.min(receivedAt + lasts, Number.MAX_SAFE_INTEGER);
}

/** A verified delivery that has just arrived, and by what a repeat of it is recognised. */
export interface Arriving {
  requestId: string;
  body: Uint8Array;
  path: string;
  hash: Uint8Array;
}

/** The first delivery of a repeat. It may not be kept any more. */
export interface First {
  id: string;
  /** Absent if it is not known any more, and another one than that of the repeat. */
  path?: string;
}

const rememberedSchema = v.object({
  hash: v.instance(Uint8Array),
  first: v.string(),
  pathHash: v.instance(Uint8Array),
  until: v.number(),
  status: v.nullable(v.number()),
});
type Remembered = v.InferOutput<typeof rememberedSchema>;

interface ToRemember {
  hash: Uint8Array;
  first: string;
  path: string;
  /** Unix milliseconds. */
  until: number;
}

/**
 * Which verified deliveries have arrived, and which of them the local app has taken. It remembers them by themselves,
 * so that a repeat is known as one although its first is no longer kept. Write to it inside a transaction.
 */
export class RepeatTable {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database);
  }

  /** The first of a delivery, among those remembered and those kept. */
  firstOf({ requestId, body, path, hash }: Arriving): First | undefined {
    const { find, firstKept, pathKept } = this.#statements;
    const remembered = find.get(hash);
    const id = (remembered ?? firstKept.get(requestId, body.byteLength, body))?.['first'];
    if (typeof id !== 'string') return undefined;
    const kept = pathKept.get(id)?.['path'];
    if (typeof kept === 'string') return { id, path: kept };
    const pathHash = remembered?.['path_hash'];
    const isSame = pathHash instanceof Uint8Array && Buffer.compare(pathHash, hashOf(path)) === 0;
    return { id, ...(isSame && { path }) };
  }

  // guard: it is remembered by a hash of its id and body for as long as anybody could send it again
  remember({ hash, first, path, until }: ToRemember): void {
    this.#statements.remember.run(hash, first, hashOf(path), until);
  }

  /** Remembers it if the local app has taken a first delivery or one of its repeats. @param first its id */
  noteKept(first: string): void {
    const status = this.#takenKept(first);
    if (status !== undefined) this.#statements.noteTaken.run(status, first);
  }

  /** The same for a delivery that is no longer kept, as its forward ends. */
  noteUnkept({ id, first = id, attempt }: Note): void {
    const { kind, status = 0 } = attempt ?? {};
    if (kind === 'forward' && isSuccess(status)) this.#statements.noteTaken.run(status, first);
  }

  /** The 2xx status with which the local app took a first delivery or one of its repeats. @param first its id */
  takenStatus(first: string): number | undefined {
    return this.#takenKept(first) ?? statusIn(this.#statements.takenRemembered.get(first));
  }

  /** Forgets what need not be remembered any longer. @param now Unix milliseconds */
  trim(now: number): void {
    this.#statements.forgetOld.run(now);
    this.#statements.forgetMost.run(mostRemembered);
  }

  /** All that is remembered, as it goes into the next file where this one is removed. */
  get all(): Remembered[] {
    return this.#statements.all.all().map((row) => v.parse(rememberedSchema, row));
  }

  takeOver(all: readonly Remembered[]): void {
    for (const { hash, first, pathHash, until, status } of all)
      this.#statements.takeOver.run(hash, first, pathHash, until, status);
  }

  #takenKept(first: string): number | undefined {
    return statusIn(this.#statements.takenKept.get(first, first));
  }
}

function statusIn(row: Record<string, unknown> | undefined): number | undefined {
  const status = row?.['status'];
  return typeof status === 'number' ? status : undefined;
}

function hashOf(path: string): Buffer {
  return createHash('sha256').update(path).digest();
}

function prepare(database: DatabaseSync) {
  return {
    find: database.prepare('SELECT first, path_hash FROM repeats WHERE hash = ?'),
    // guard: a repeat is one of a delivery that verified, after a restart too
    firstKept: database.prepare(`
      SELECT coalesce(d.repeat_of, d.id) AS first FROM deliveries d JOIN bodies b ON b.seq = d.seq
      WHERE d.request_id = ? AND d.bytes = ? AND d.standing = 'verified' AND b.body = ${bytesParameter}
      ORDER BY d.seq LIMIT 1`),
    // Of the first alone: a repeat may have come by any path while that of the first was not known.
    pathKept: database.prepare('SELECT coalesce(first_path, path) AS path FROM deliveries WHERE id = ?'),
    takenKept: database.prepare(`
      SELECT a.status FROM attempts a JOIN deliveries d ON d.seq = a.seq
      WHERE (d.id = ? OR d.repeat_of = ?) AND a.status BETWEEN 200 AND 299
        -- A replay counts where it went where the delivery was forwarded to.
        AND a.kind <> 'edited'
        AND (a.kind = 'forward' OR a.address IN (SELECT address FROM attempts WHERE seq = a.seq AND kind = 'forward'))
      ORDER BY a.number LIMIT 1`),
    remember: database.prepare(`
      INSERT INTO repeats (hash, first, path_hash, until) VALUES (?, ?, ?, ?)
      ON CONFLICT (hash) DO UPDATE SET until = max(until, excluded.until)`),
    all: database.prepare(
      'SELECT hash, first, path_hash AS pathHash, until, status FROM repeats ORDER BY number',
    ),
    takeOver: database.prepare(
      'INSERT OR IGNORE INTO repeats (hash, first, path_hash, until, status) VALUES (?, ?, ?, ?, ?)',
    ),
    noteTaken: database.prepare('UPDATE repeats SET status = ? WHERE first = ? AND status IS NULL'),
    takenRemembered: database.prepare('SELECT status FROM repeats WHERE first = ?'),
    forgetOld: database.prepare('DELETE FROM repeats WHERE until < ?'),
    forgetMost: database.prepare('DELETE FROM repeats WHERE number <= (SELECT max(number) FROM repeats) - ?'),
  };
}
