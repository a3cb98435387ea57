import type { DatabaseSync } from 'node:sqlite';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import { editedKinds } from '../../contract/delivery.ts';
import type { Note } from '../../deliveries/keptDelivery.ts';
import { listed } from './database.ts';
import { createHash } from 'node:crypto';

/** By what a repeat is recognised. It holds no byte of the delivery, so it may stay when that is cleared. */
export function repeatHash(requestId: string, body: Uint8Array): Buffer {
  // The length says where the id ends. Header text is one character a byte.
  return createHash('sha256').update(`${requestId.length}.${requestId}`, 'latin1').update(body).digest();
}

/** By what the path of a delivery is recognised, without a byte of it. */
export function pathHash(path: string): Buffer {
  return createHash('sha256').update(path).digest();
}

/** How many deliveries are remembered at most; then the oldest are forgotten. */
export const mostRemembered = 100_000;
/** How long each is remembered at least, in milliseconds: the service itself repeats within that time. */
const leastMs = 10 * 60_000;

/** Until when a delivery is remembered: as long as anybody could send it again and have it verify. Unix milliseconds. */
export function rememberedUntil(receivedAt: number, toleranceSeconds: number): number {
  // Where the timestamp is not checked, that is without end, and only the number of those remembered is limited.
  if (toleranceSeconds <= 0) return Number.MAX_SAFE_INTEGER;
  // It may have been signed as far ahead of the clock as it may be late.
  const lasts = Math.max(2 * Math.ceil(toleranceSeconds) * 1000, leastMs);
  return Math.min(receivedAt + lasts, Number.MAX_SAFE_INTEGER);
}

/** How often those are looked for that need not be remembered any longer, in milliseconds. */
const forgetsAfterMs = 60_000;

/** A verified delivery that has just arrived. */
export interface Arriving {
  path: string;
  /** By what a repeat of it is recognised. */
  hash: Uint8Array;
}

/** The first delivery of a repeat. It may not be kept any more. */
export interface First {
  id: string;
  /** Absent if it is not known any more, and another one than that of the repeat. */
  path?: string;
}

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
  /** The number of the row of each hash, by its beginning, and of some that were forgotten. Nearly all are new. */
  #numbers: Map<string, number> | undefined;
  #seenVersion: unknown;
  /** The last path, whose hash is the same for nearly all deliveries. */
  #lastPath = { path: '', hash: pathHash('') };
  #forgetsAt = 0;

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database);
  }

  /**
   * Whether a delivery is certainly no repeat. A look into memory decides it, unless another program has written.
   * @param looks whether to look for that, which takes a lock of the file
   */
  isNew({ hash }: Arriving, looks = true): boolean {
    const numbers = looks ? this.#known() : (this.#numbers ?? this.#known());
    return !numbers.has(beginning(hash));
  }

  /** The first of a delivery, among those remembered. */
  // guard S31: Only a delivery that verified can have repeats, also after a restart.
  firstOf({ path, hash }: Arriving): First | undefined {
    const number = this.#known().get(beginning(hash));
    const remembered = number === undefined ? undefined : this.#statements.find.get(number, hash);
    const id = remembered?.['first'];
    if (typeof id !== 'string') return undefined;
    const kept = this.#statements.pathKept.get(id)?.['path'];
    if (typeof kept === 'string') return { id, path: kept };
    const hashOfFirst = remembered?.['path_hash'];
    const isSame = hashOfFirst instanceof Uint8Array && Buffer.compare(hashOfFirst, pathHash(path)) === 0;
    return { id, path: isSame ? path : undefined };
  }

  // guard S5: A delivery is remembered by a hash of its id and body for as long as it could be sent again.
  remember({ hash, first, path, until }: ToRemember): void {
    if (path !== this.#lastPath.path) this.#lastPath = { path, hash: pathHash(path) };
    const numbers = this.#known();
    const start = beginning(hash);
    const known = numbers.get(start);
    if (known !== undefined && this.#statements.lengthen.run(until, known, hash).changes > 0) return;
    const added = this.#statements.remember.run(hash, first, this.#lastPath.hash, until);
    numbers.set(start, Number(added.lastInsertRowid));
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
  acceptedStatus(first: string): number | undefined {
    return this.#takenKept(first) ?? statusIn(this.#statements.takenRemembered.get(first));
  }

  /** Forgets what need not be remembered any longer. @param now Unix milliseconds */
  trim(now: number): void {
    this.#statements.forgetMost.run(mostRemembered);
    // The clock may have been set back.
    const isDue = now >= this.#forgetsAt || now <= this.#forgetsAt - forgetsAfterMs;
    if (isDue) {
      this.#forgetsAt = now + forgetsAfterMs;
      this.#statements.forgetOld.run(now);
    }
    // It still has what was forgotten.
    if (Number(this.#numbers?.size) > 2 * mostRemembered) this.#numbers = undefined;
  }

  /** Reads what another program has written, or a transaction has not. */
  #known(): Map<string, number> {
    const version = this.#statements.version.get()?.['data_version'];
    if (version !== this.#seenVersion) this.#numbers = undefined;
    this.#seenVersion = version;
    this.#numbers ??= new Map(
      this.#statements.hashes
        .all()
        .map(({ start, number }) => [beginning(start as Uint8Array), Number(number)]),
    );
    return this.#numbers;
  }

  #takenKept(first: string): number | undefined {
    return statusIn(this.#statements.takenKept.get(first, first));
  }
}

function statusIn(row: Record<string, unknown> | undefined): number | undefined {
  const status = row?.['status'];
  return typeof status === 'number' ? status : undefined;
}

function beginning(hash: Uint8Array): string {
  // One of a file that was harmed may be shorter.
  return Buffer.from(hash.buffer, hash.byteOffset, Math.min(8, hash.byteLength)).toString('latin1');
}

function prepare(database: DatabaseSync) {
  return {
    find: database.prepare('SELECT first, path_hash FROM repeats WHERE number = ? AND hash = ?'),
    version: database.prepare('PRAGMA data_version'),
    hashes: database.prepare('SELECT number, substr(hash, 1, 8) AS start FROM repeats ORDER BY number DESC'),
    // Of the first alone: a repeat may have come by any path while that of the first was not known.
    pathKept: database.prepare('SELECT coalesce(first_path, path) AS path FROM deliveries WHERE id = ?'),
    takenKept: database.prepare(`
      SELECT a.status FROM attempts a JOIN deliveries d ON d.seq = a.seq
      WHERE (d.id = ? OR d.repeat_of = ?) AND a.status BETWEEN 200 AND 299
        -- A replay counts where it went where the delivery was forwarded to.
        AND a.kind NOT IN (${listed(editedKinds)})
        AND (a.kind = 'forward' OR a.address IN (SELECT address FROM attempts WHERE seq = a.seq AND kind = 'forward'))
      ORDER BY a.number LIMIT 1`),
    remember: database.prepare('INSERT INTO repeats (hash, first, path_hash, until) VALUES (?, ?, ?, ?)'),
    lengthen: database.prepare('UPDATE repeats SET until = max(until, ?) WHERE number = ? AND hash = ?'),
    noteTaken: database.prepare('UPDATE repeats SET status = ? WHERE first = ? AND status IS NULL'),
    takenRemembered: database.prepare('SELECT status FROM repeats WHERE first = ?'),
    forgetOld: database.prepare('DELETE FROM repeats WHERE until < ?'),
    forgetMost: database.prepare('DELETE FROM repeats WHERE number <= (SELECT max(number) FROM repeats) - ?'),
  };
}
