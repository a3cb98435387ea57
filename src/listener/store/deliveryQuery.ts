import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import type { DeliveryFilter } from '../../model/deliveries/deliveryFilter.ts';
import { ageOf } from '../../model/find/age.ts';
import type { DeliveryPage } from '../../model/processes/listenerProtocol.ts';
import { toDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import {
  type DeliveryHead,
  type DeliveryRow,
  readHead,
  readRow,
  selectHeads,
  selectRows,
} from './deliveryRow.ts';
import { addFunctions, type Condition, conditionsOf } from './filterConditions.ts';

/** How many deliveries are looked up at once. */
const readAtOnce = 100;
/** How much is searched in one go, in deliveries and in bytes of their bodies: responses wait meanwhile. */
const lookedIntoAtOnce = 1000;
const bytesAtOnce = 1024 * 1024;
/** How many prepared statements are cached. */
const mostPrepared = 100;
const newest = Number.MAX_SAFE_INTEGER;
/** How long the list of all deliveries may become, as a text: the longest that JavaScript has is a little longer. */
const mostListed = 448 * 1024 * 1024;

/** Searches the kept deliveries. */
export class DeliveryQuery {
  readonly #database: DatabaseSync;
  readonly #now: () => number;
  readonly #prepared = new Map<string, StatementSync>();

  /** @param now a clock in Unix milliseconds */
  constructor(database: DatabaseSync, now: () => number) {
    this.#database = database;
    this.#now = now;
    addFunctions(database);
  }

  /** The seqs of the deliveries that match, newest first. Returns no bodies. */
  seqs(filter: DeliveryFilter, limit: number, before = newest): number[] {
    const conditions = [{ sql: 'd.seq < ?', values: [before] }, ...conditionsOf(filter, this.#now())];
    return this.#matching(conditions, limit);
  }

  /** The same in batches, so that callers can yield to requests between two of them. */
  *batches(filter: DeliveryFilter): Generator<number[]> {
    const now = this.#now();
    const conditions = conditionsOf(filter, now);
    const from = filter.since === undefined ? -Infinity : now - ageOf(filter.since);
    for (let to = this.#newestUpTo(newest); to > 0; to = this.#newestUpTo(to - lookedIntoAtOnce)) {
      for (const part of this.#parts(to - lookedIntoAtOnce + 1, to)) {
        yield this.#matching([{ sql: 'd.seq BETWEEN ? AND ?', values: part }, ...conditions], newest);
        // All that are older were received earlier.
        if (this.#receivedAt(part[0]) < from) return;
      }
    }
  }

  row(seq: number): DeliveryRow | undefined {
    const row = this.#statement(`${selectRows} WHERE d.seq = ?`).get(seq);
    return row && readRow(row);
  }

  /** The delivery as lists show it, read without its body. */
  head(seq: number): DeliveryHead | undefined {
    const row = this.#statement(`${selectHeads} WHERE d.seq = ?`).get(seq);
    return row && readHead(row);
  }

  /** The newest matches, without their bodies. @param before only deliveries older than this seq */
  page(filter: DeliveryFilter, limit: number, before?: number): DeliveryPage {
    const seqs = this.seqs(filter, limit + 1, before);
    const deliveries = seqs.slice(0, limit).flatMap((seq) => this.head(seq)?.summary ?? []);
    return { deliveries, hasMore: seqs.length > limit };
  }

  /** How many deliveries are kept. */
  get count(): number {
    return Number(this.#statement('SELECT count(*) AS count FROM deliveries').get()?.['count']);
  }

  /** The app names, of which there are few. The query skips through the index and does not read each delivery. */
  apps(limit: number): string[] {
    const names = `WITH RECURSIVE names (name) AS (
      SELECT min(app_name) FROM deliveries WHERE app_name IS NOT NULL UNION ALL
      SELECT (SELECT min(app_name) FROM deliveries WHERE app_name > name) FROM names WHERE name IS NOT NULL LIMIT ?)
      SELECT name FROM names WHERE name IS NOT NULL`;
    return this.#statement(names)
      .all(limit)
      .map(({ name }) => String(name));
  }

  /** The last kept seq that is not above a limit; 0 if there is none. */
  #newestUpTo(limit: number): number {
    const row = this.#statement('SELECT max(seq) AS seq FROM deliveries WHERE seq <= ?').get(limit);
    return Number(row?.['seq'] ?? 0);
  }

  /** Splits a range of seqs, newest first, until what each part has in bodies is read in one go. */
  *#parts(from: number, to: number): Generator<[from: number, to: number]> {
    const sql = 'SELECT total(iif(is_text, bytes, 0)) AS bytes FROM deliveries WHERE seq BETWEEN ? AND ?';
    if (from === to || Number(this.#statement(sql).get(from, to)?.['bytes']) <= bytesAtOnce) {
      yield [from, to];
      return;
    }
    const middle = Math.floor((from + to) / 2);
    yield* this.#parts(middle + 1, to);
    yield* this.#parts(from, middle);
  }

  #receivedAt(seq: number): number {
    const row = this.#statement('SELECT received_at AS at FROM deliveries WHERE seq = ?').get(seq);
    return Number(row?.['at'] ?? newest);
  }

  #matching(conditions: readonly Condition[], limit: number): number[] {
    const where = conditions.map(({ sql }) => sql).join(' AND ');
    const bodies = where.includes('b.body') ? ' JOIN bodies b ON b.seq = d.seq' : '';
    const sql = `SELECT d.seq FROM deliveries d${bodies} WHERE ${where} ORDER BY d.seq DESC LIMIT ?`;
    return seqsOf(this.#statement(sql).all(...conditions.flatMap(({ values }) => values), limit));
  }

  #statement(sql: string): StatementSync {
    const prepared = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    if (this.#prepared.size > mostPrepared) this.#prepared.clear();
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function seqsOf(rows: readonly Record<string, unknown>[]): number[] {
  return rows.map(({ seq }) => Number(seq));
}

/**
 * The newest `most` deliveries, fewer where they do not fit into one message.
 * @param read as for {@link newestFirst}
 * @param look called for each before it is listed
 */
export async function readNewest(
  most: number,
  read: <T>(work: (query: DeliveryQuery) => T) => T | undefined,
  look: (row: DeliveryRow) => DeliveryRow,
): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  if (most <= 0) return [];
  let length = 0;
  for (const delivery of newestFirst(read, look)) {
    length += JSON.stringify(delivery).length;
    if (length > mostListed && deliveries.length > 0) break;
    deliveries.push(delivery);
    if (deliveries.length >= most) break;
    // Yields to waiting requests.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return deliveries;
}

/**
 * All kept deliveries, newest first, read one by one, since their bodies may be large.
 * @param read reads from the store as it is at the time
 */
export function* newestFirst(
  read: <T>(work: (query: DeliveryQuery) => T) => T | undefined,
  look = (row: DeliveryRow): DeliveryRow => row,
): Generator<Delivery> {
  let last: number | undefined;
  do {
    const before = last;
    const seqs = read((query) => query.seqs({}, readAtOnce, before)) ?? [];
    for (const seq of seqs) {
      const row = read((query) => query.row(seq));
      // The delivery may have been deleted meanwhile.
      if (row === undefined) continue;
      const { kept, known } = look(row);
      yield toDelivery(kept, known);
    }
    last = seqs.at(-1);
  } while (last !== undefined);
}
