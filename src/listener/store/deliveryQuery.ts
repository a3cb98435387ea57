import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { all, type DeliveryFilter } from '../../model/deliveries/deliveryFilter.ts';
import { ageOf } from '../../model/find/age.ts';
import type { DeliveryPage } from '../../model/processes/listenerProtocol.ts';
import { type Standing, toDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import { perBlock } from '../search/blockMarks.ts';
import { addFunctions, type Condition, conditionsOf, textIn } from '../search/filterConditions.ts';
import { type SearchIndex, standings } from '../search/searchIndex.ts';
import { slotsOf } from '../search/trigrams.ts';
import {
  type DeliveryHead,
  type DeliveryRow,
  readHead,
  readRow,
  selectHeads,
  selectRows,
} from './deliveryRow.ts';

/** How many deliveries are looked up at once. */
const readAtOnce = 100;
/** How much is searched in one go, in deliveries and in bytes of their bodies: responses wait meanwhile. */
const lookedIntoAtOnce = 250;
const bytesAtOnce = 512 * 1024;
/** How many prepared statements are cached. */
const mostPrepared = 100;
const newest = Number.MAX_SAFE_INTEGER;
/** How long the list of all deliveries may become, as a text: the longest that JavaScript has is a little longer. */
const mostListed = 448 * 1024 * 1024;

/** Searches the kept deliveries. */
export class DeliveryQuery {
  readonly #database: DatabaseSync;
  readonly #search: SearchIndex;
  readonly #now: () => number;
  readonly #prepared = new Map<string, StatementSync>();

  /** @param now a clock in Unix milliseconds */
  constructor(database: DatabaseSync, search: SearchIndex, now: () => number) {
    this.#database = database;
    this.#search = search;
    this.#now = now;
    addFunctions(database);
  }

  /** The seqs of the deliveries that match, newest first. Returns no bodies. */
  seqs(filter: DeliveryFilter, limit: number, before = newest): number[] {
    if (slotsIn(filter).length === 0) return this.seqsByReading(filter, limit, before);
    const found = this.parts(filter, before).flatMap((parts) => {
      const some: number[] = [];
      for (const part of parts) if (some.push(...part) >= limit) break;
      return some;
    });
    return [...new Set(found)].sort((a, b) => b - a).slice(0, limit);
  }

  /** The same without the search index: tests each delivery. */
  seqsByReading(filter: DeliveryFilter, limit: number, before: number): number[] {
    const conditions = [{ sql: 'd.seq < ?', values: [before] }, ...conditionsOf(filter, this.#now())];
    return this.#matching(conditions, limit);
  }

  /**
   * The same as several generators, each newest first and in batches, so that callers can yield to requests between
   * two batches. Two generators may return the same delivery.
   */
  parts(filter: DeliveryFilter, before = newest): Generator<number[]>[] {
    const now = this.#now();
    const conditions = conditionsOf(filter, now);
    const from = filter.since === undefined ? undefined : now - ageOf(filter.since);
    return this.#candidates(filter, before).map((row) => this.#matchingOf(row, conditions, before, from));
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
  apps(limit: number, fits: Condition = { sql: 'name IS NOT NULL', values: [] }): string[] {
    const names = `WITH RECURSIVE names (name) AS (
      SELECT min(app_name) FROM deliveries WHERE app_name IS NOT NULL UNION ALL
      SELECT (SELECT min(app_name) FROM deliveries WHERE app_name > name) FROM names WHERE name IS NOT NULL LIMIT ?)
      SELECT name FROM names WHERE ${fits.sql}`;
    return this.#statement(names)
      .all(limit, ...fits.values)
      .map(({ name }) => String(name));
  }

  /** The deliveries that may match, from the index that leaves the fewest. */
  #candidates(filter: DeliveryFilter, before: number): Generator<readonly number[]>[] {
    const slots = slotsIn(filter);
    const [apps, verdicts, runs] = [all(filter.app), all(filter.verdict), all(filter.run)];
    if (slots.length > 0) {
      // The app may have become known after the delivery was marked.
      const matching = all(filter.text).flatMap((text) => this.apps(newest, textIn('name', text)));
      const named = [...new Set(matching)].filter((app) => apps.length === 0 || apps.includes(app));
      return [
        ...standings.map((standing) => this.#search.candidates(standing, slots)),
        ...named.map((app) => this.#byIndex('app_name = ?', app, before)),
      ];
    }
    const [[app, ...otherApps], [verdict, ...otherVerdicts]] = [apps, verdicts];
    if (app !== undefined && otherApps.length === 0) return [this.#byIndex('app_name = ?', app, before)];
    if (runs.length > 0) return [this.#ofRuns(runs)];
    if (verdict !== undefined && verdict !== 'verified' && otherVerdicts.length === 0) {
      return [this.#byIndex("verdict <> 'verified' AND verdict = ?", verdict, before)];
    }
    return standings.map((standing: Standing) => this.#byIndex('standing = ?', standing, before));
  }

  /** All deliveries that an index has for a value, newest first. */
  *#byIndex(has: string, value: SQLInputValue, before: number): Generator<number[]> {
    const sql = `SELECT seq FROM deliveries WHERE ${has} AND seq < ? ORDER BY seq DESC LIMIT ${perBlock}`;
    for (let last: number | undefined = before; last !== undefined;) {
      const seqs = seqsOf(this.#statement(sql).all(value, last));
      yield seqs;
      last = seqs.at(-1);
    }
  }

  *#ofRuns(runs: readonly string[]): Generator<number[]> {
    const found = runs.flatMap((run) => {
      const { sql, values } = textIn('run_id', run, true);
      const some = `SELECT seq FROM deliveries INDEXED BY by_run WHERE run_id IS NOT NULL AND ${sql}`;
      return seqsOf(this.#statement(some).all(...values));
    });
    yield [...new Set(found)].sort((a, b) => b - a);
  }

  *#matchingOf(
    row: Iterable<readonly number[]>,
    conditions: readonly Condition[],
    before: number,
    from = -Infinity,
  ): Generator<number[]> {
    const readsBodies = conditions.some(({ sql }) => sql.includes('b.body'));
    for (const candidates of row) {
      for (const some of this.#batches(
        candidates.filter((seq) => seq < before),
        readsBodies,
      )) {
        const isOne = {
          sql: 'd.seq IN (SELECT value FROM json_each(?))',
          values: [JSON.stringify(some)],
        };
        yield conditions.length === 0 ? some : this.#matching([isOne, ...conditions], some.length);
      }
      const last = candidates.at(-1);
      // All further candidates were received earlier.
      if (last !== undefined && this.#receivedAt(last) < from) return;
    }
  }

  /** Splits the deliveries into batches that are searched in one go. */
  *#batches(seqs: readonly number[], readsBodies: boolean): Generator<number[]> {
    let some: number[] = [];
    let bytes = 0;
    for (const seq of seqs) {
      some.push(seq);
      if (readsBodies) bytes += this.#bytesOf(seq);
      if (some.length < lookedIntoAtOnce && bytes < bytesAtOnce) continue;
      yield some;
      some = [];
      bytes = 0;
    }
    if (some.length > 0) yield some;
  }

  #bytesOf(seq: number): number {
    const row = this.#statement('SELECT iif(is_text, bytes, 0) AS bytes FROM deliveries WHERE seq = ?').get(
      seq,
    );
    return Number(row?.['bytes'] ?? 0);
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

/** The slots of all texts in the filter; empty if they give none. */
function slotsIn({ text }: DeliveryFilter): number[] {
  return all(text).flatMap((one) => slotsOf(one) ?? []);
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
