import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import type { DeliveryFilter } from '../../model/deliveries/deliveryFilter.ts';
import { type Standing, toDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import { type SearchIndex, standings } from '../search/searchIndex.ts';
import { slotsOf } from '../search/trigrams.ts';
import { type DeliveryRow, readRow, selectRows } from './deliveryRow.ts';

/** A condition of SQL, and the values for its question marks. */
interface Condition {
  sql: string;
  values: SQLInputValue[];
}

/** How many are looked up at once. */
const readAtOnce = 100;
/** SQLite refuses longer ones. */
const longestPattern = 10_000;

/** Searches what is kept. */
export class DeliveryQuery {
  readonly #database: DatabaseSync;
  readonly #search: SearchIndex;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, search: SearchIndex) {
    this.#database = database;
    this.#search = search;
    // SQLite's LIKE knows the case of ASCII alone.
    database.function('holds', { deterministic: true }, (text, sought) =>
      textOf(text).toLowerCase().includes(String(sought)) ? 1 : 0,
    );
  }

  /** The numbers of those that fit, the newest first, without reading their bodies. */
  seqs(filter: DeliveryFilter, limit: number, before = Number.MAX_SAFE_INTEGER): number[] {
    const slots = filter.text === undefined ? undefined : slotsOf(filter.text);
    if (filter.text === undefined || slots === undefined) return this.seqsByReading(filter, limit, before);
    const { text, ...rest } = filter;
    const found = standings.flatMap((standing) => this.#ofStanding(standing, slots, filter, limit, before));
    for (const app of this.#appsThatHold(text)) {
      if (rest.app === undefined || rest.app === app) {
        found.push(...this.seqsByReading({ ...rest, app }, limit, before));
      }
    }
    return [...new Set(found)].sort((a, b) => b - a).slice(0, limit);
  }

  /** The same, where each delivery is looked into. */
  seqsByReading(filter: DeliveryFilter, limit: number, before: number): number[] {
    return this.#fitting([{ sql: 'd.seq < ?', values: [before] }, ...conditionsOf(filter)], limit);
  }

  row(seq: number): DeliveryRow | undefined {
    const row = this.#statement(`${selectRows} WHERE d.seq = ?`).get(seq);
    return row && readRow(row);
  }

  #ofStanding(
    standing: Standing,
    slots: readonly number[],
    filter: DeliveryFilter,
    limit: number,
    before: number,
  ): number[] {
    const conditions = conditionsOf(filter);
    const found: number[] = [];
    for (const candidates of this.#search.candidates(standing, slots)) {
      const some = JSON.stringify(candidates.filter((seq) => seq < before));
      const isOne = { sql: 'd.seq IN (SELECT value FROM json_each(?))', values: [some] };
      found.push(...this.#fitting([isOne, ...conditions], limit - found.length));
      if (found.length === limit) break;
    }
    return found;
  }

  /** The names of apps that hold a text. There are few, and they are found without looking at each delivery. */
  #appsThatHold(text: string): string[] {
    const { sql, values } = textIn(['name'], text);
    const names = `WITH RECURSIVE names (name) AS (
      SELECT min(app_name) FROM deliveries WHERE app_name IS NOT NULL UNION ALL
      SELECT (SELECT min(app_name) FROM deliveries WHERE app_name > name) FROM names WHERE name IS NOT NULL)
      SELECT name FROM names WHERE ${sql}`;
    return this.#statement(names)
      .all(...values)
      .map(({ name }) => String(name));
  }

  #fitting(conditions: readonly Condition[], limit: number): number[] {
    const where = conditions.map(({ sql }) => sql).join(' AND ');
    const bodies = where.includes('b.body') ? ' JOIN bodies b ON b.seq = d.seq' : '';
    const sql = `SELECT d.seq FROM deliveries d${bodies} WHERE ${where} ORDER BY d.seq DESC LIMIT ?`;
    return this.#statement(sql)
      .all(...conditions.flatMap(({ values }) => values), limit)
      .map(({ seq }) => Number(seq));
  }

  #statement(sql: string): StatementSync {
    const prepared = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** The newest of all that is kept, so many. @param read as below */
export async function newest(
  most: number,
  read: <T>(work: (query: DeliveryQuery) => T) => T | undefined,
): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  if (most <= 0) return [];
  for (const delivery of newestFirst(read)) {
    deliveries.push(delivery);
    if (deliveries.length >= most) break;
    // Whoever waits for an answer comes in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return deliveries;
}

/**
 * All that is kept, the newest first, one by one: their bodies may be large.
 * @param read reads in the store as it is then
 */
export function* newestFirst(
  read: <T>(work: (query: DeliveryQuery) => T) => T | undefined,
): Generator<Delivery> {
  let last: number | undefined;
  do {
    const before = last;
    const seqs = read((query) => query.seqs({}, readAtOnce, before)) ?? [];
    for (const seq of seqs) {
      const row = read((query) => query.row(seq));
      // It may have gone meanwhile.
      if (row !== undefined) yield toDelivery(row.kept, row.known);
    }
    last = seqs.at(-1);
  } while (last !== undefined);
}

function conditionsOf({ verdict, app, text }: DeliveryFilter): Condition[] {
  const conditions: Condition[] = [];
  if (verdict !== undefined) {
    // The index of the others is used where it is said that it is one of them.
    const other = verdict === 'verified' ? '' : " AND d.verdict <> 'verified'";
    conditions.push({ sql: `d.verdict = ?${other}`, values: [verdict] });
  }
  if (app !== undefined) conditions.push({ sql: 'd.app_name = ?', values: [app] });
  if (text !== undefined) conditions.push(textAnywhere(text));
  return conditions;
}

/** A text in the body, or in what is read beside it. */
function textAnywhere(text: string): Condition {
  const body = isPattern(text) ? 'CAST(b.body AS TEXT)' : 'b.body';
  const places = ['d.path', 'd.headers', 'd.run_id', 'd.app_name', `iif(d.is_text = 1, ${body}, NULL)`];
  return textIn(places, text);
}

/** A text in one of these places, in any case of its letters. */
function textIn(places: readonly string[], text: string): Condition {
  const isSimple = isPattern(text);
  const sought = isSimple ? `%${text.replaceAll(/[\\%_]/g, '\\$&')}%` : text.toLowerCase();
  const holds = (place: string): string => (isSimple ? `${place} LIKE ? ESCAPE '\\'` : `holds(${place}, ?)`);
  return { sql: `(${places.map(holds).join(' OR ')})`, values: places.map(() => sought) };
}

/** Whether it is text that SQLite itself finds in any case of its letters. */
function isPattern(text: string): boolean {
  return text.length <= longestPattern && /^\p{ASCII}*$/u.test(text);
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
  return typeof value === 'string' ? value : '';
}
