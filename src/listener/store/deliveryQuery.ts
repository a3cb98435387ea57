import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { attemptErrors, type Delivery, editedKinds, type WholeDelivery } from '../../contract/delivery.ts';
import { type DeliveryFilter, all, isEmptyFilter } from '../../deliveries/deliveryFilter.ts';
import { ageOf } from '../../deliveries/find/age.ts';
import type { DeliveryPage, FoundDeliveries } from '../../deliveries/listenerProtocol.ts';
import { wholeDelivery } from '../../deliveries/keptDelivery.ts';
import { listed } from './database.ts';
import { readDelivery, selectDeliveries } from './deliveryRow.ts';
import { hasHeader, headersHold } from '../../deliveries/find/headerSearch.ts';
import { headersOf } from '../../service/signature/signature.ts';

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

  /** The delivery, read without its body. */
  delivery(seq: number): Delivery | undefined {
    const row = this.#statement(`${selectDeliveries} WHERE d.seq = ?`).get(seq);
    return row && readDelivery(row).delivery;
  }

  /** The delivery with its body. */
  whole(seq: number): WholeDelivery | undefined {
    const delivery = this.delivery(seq);
    const body = this.#statement('SELECT body FROM bodies WHERE seq = ?').get(seq)?.['body'];
    return delivery && body instanceof Uint8Array ? wholeDelivery(delivery, body) : undefined;
  }

  /** The newest matches, without their bodies. @param before only deliveries older than this seq */
  page(filter: DeliveryFilter, limit: number, before?: number): DeliveryPage {
    const seqs = this.seqs(filter, limit + 1, before);
    const deliveries = seqs.slice(0, limit).flatMap((seq) => this.delivery(seq) ?? []);
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
 */
export async function readNewest(
  most: number,
  read: <T>(work: (query: DeliveryQuery) => T) => T | undefined,
): Promise<WholeDelivery[]> {
  const deliveries: WholeDelivery[] = [];
  if (most <= 0) return [];
  let length = 0;
  for (const delivery of newestFirst(read)) {
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
): Generator<WholeDelivery> {
  let last: number | undefined;
  do {
    const before = last;
    const seqs = read((query) => query.seqs({}, readAtOnce, before)) ?? [];
    for (const seq of seqs) {
      const delivery = read((query) => query.whole(seq));
      // It may have been deleted meanwhile.
      if (delivery !== undefined) yield delivery;
    }
    last = seqs.at(-1);
  } while (last !== undefined);
}

/** An SQL condition over `deliveries` as d and `bodies` as b, and the values of its parameters. */
interface Condition {
  sql: string;
  values: SQLInputValue[];
}

/** The longest text for LIKE; SQLite refuses longer patterns. */
const longestPattern = 10_000;

/** That of `forward`. */
const lastAttempt = `FROM attempts WHERE seq = d.seq AND kind NOT IN (${listed(editedKinds)})
  AND error IS NOT '${attemptErrors.cancelled}' ORDER BY number DESC LIMIT 1`;

/** Adds the SQL functions that the conditions call and SQLite lacks. */
function addFunctions(database: DatabaseSync): void {
  const add = (name: string, of: (...given: unknown[]) => boolean): void =>
    database.function(name, { deterministic: true, varargs: true }, (...given) => (of(...given) ? 1 : 0));
  // SQLite's LIKE ignores case for ASCII only.
  add('holds', (text, sought) => textOf(text).toLowerCase().includes(String(sought)));
  add('begins', (text, sought) => textOf(text).toLowerCase().startsWith(String(sought)));
  add('has_header', (headers, name, value) =>
    hasHeader(headersIn(headers), {
      name: String(name),
      ...(typeof value === 'string' && { value }),
    }),
  );
  add('headers_hold', (headers, sought) => headersHold(headersIn(headers), String(sought)));
}

/** The conditions that a delivery has to meet. @param now Unix milliseconds */
function conditionsOf(filter: DeliveryFilter, now: number): Condition[] {
  const { verdict, made, app, run, status, header, failed, refused, since, text } = filter;
  const conditions = [
    ...anyOf(all(verdict), (one) => ({
      // The second term lets SQLite use the partial index on the other verdicts.
      // What was made here is no verified delivery of the service.
      sql: `d.verdict = ? AND ${one === 'verified' ? 'd.made_of IS NULL' : "d.verdict <> 'verified'"}`,
      values: [one],
    })),
    ...(made === undefined ? [] : [{ sql: 'd.made_of IS NOT NULL', values: [] }]),
    ...anyOf(all(app), (one) => ({ sql: 'd.app_name = ?', values: [one] })),
    ...anyOf(all(run), (one) => textIn('d.run_id', one, true)),
    ...anyOf(all(status), (one) => ({
      sql: `(SELECT status ${lastAttempt}) LIKE ?`,
      values: [one.replaceAll(/x/gi, '_')],
    })),
    ...all(header).map(({ name, value }) => ({
      sql: 'has_header(d.headers, ?, ?)',
      values: [name, value ?? null],
    })),
    ...all(text).map(textAnywhere),
  ];
  if (refused === true) conditions.push({ sql: "d.standing = 'refused'", values: [] });
  if (failed === true) {
    conditions.push({
      sql: `(SELECT coalesce(status, 0) NOT BETWEEN 200 AND 299 ${lastAttempt})`,
      values: [],
    });
  }
  if (since !== undefined) conditions.push({ sql: 'd.received_at >= ?', values: [now - ageOf(since)] });
  return conditions;
}

/** Matches a text in one place, ignoring case. */
function textIn(place: string, text: string, atStart = false): Condition {
  const exact = { sql: `${atStart ? 'begins' : 'holds'}(${place}, ?)`, values: [text.toLowerCase()] };
  if (!isPattern(text)) return exact;
  const letters = Array.from(text, (one) => (hasCase(one) ? '%' : one.replace(/[\\%_]/, '\\$&')));
  const like = {
    sql: `${place} LIKE ? ESCAPE '\\'`,
    values: [`${atStart ? '' : '%'}${letters.join('')}%`],
  };
  if (!Array.from(text).some(hasCase)) return like;
  return { sql: `(${like.sql} AND ${exact.sql})`, values: [...like.values, ...exact.values] };
}

/** Matches a text in the body or in the other columns, which are checked first. */
function textAnywhere(text: string): Condition {
  const body = isPattern(text) ? 'CAST(b.body AS TEXT)' : 'b.body';
  const places = ['d.path', 'd.run_id', 'd.app_name'].map((place) => textIn(place, text));
  const inHeaders = textIn('d.headers', text);
  const each = [
    ...places,
    {
      // Few rows pass the first check, so the slow second one runs on those alone.
      sql: `(${inHeaders.sql} AND headers_hold(d.headers, ?))`,
      values: [...inHeaders.values, text.toLowerCase()],
    },
    // For LIKE a text ends at its first NUL, but JSON contains none.
    textIn(`iif(d.is_text = 1, ${body}, NULL)`, text),
  ];
  return either(each);
}

function anyOf<T>(values: readonly T[], toCondition: (one: T) => Condition): Condition[] {
  return values.length === 0 ? [] : [either(values.map(toCondition))];
}

function either(conditions: readonly Condition[]): Condition {
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(' OR ')})`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/** Whether SQLite's own LIKE can look for the text: it ends at a NUL. */
function isPattern(text: string): boolean {
  return text.length <= longestPattern && !text.includes('\0') && text.isWellFormed();
}

/** Whether a letter has several cases that LIKE does not know: it ignores case in ASCII only. */
function hasCase(letter: string): boolean {
  return letter > '\x7f' && letter.toLowerCase() !== letter.toUpperCase();
}

function headersIn(headers: unknown): Record<string, string> {
  return headersOf(textOf(headers).split('\n'));
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
  return typeof value === 'string' ? value : '';
}

/** How long a search runs before it yields to requests, and how long it counts matches. Milliseconds. */
const sliceMs = 4;
const countLimitMs = 1000;
/** How many app names are returned at most. */
const mostNames = 50;

/** Reads from the store as it is at the time; undefined if it cannot be read. */
type Read = <T>(read: (store: { readonly query: DeliveryQuery }) => T) => T | undefined;

/** One search of the kept deliveries. It works in small parts, and yields to requests between them. */
export class DeliveryFind {
  readonly #read: Read;
  readonly #isOver: () => boolean;
  #sliceStart = performance.now();

  /** @param isOver whether the search was cancelled: it then ends with what it has found */
  constructor(read: Read, isOver: () => boolean) {
    this.#read = read;
    this.#isOver = isOver;
  }

  /** The newest deliveries that match, without their bodies, and the number of matches. */
  async find(filter: DeliveryFilter, limit: number): Promise<FoundDeliveries> {
    const known = this.#read(({ query }) => {
      return { kept: query.count, apps: query.apps(mostNames) };
    }) ?? { kept: 0, apps: [] };
    const { seqs, isWhole } = isEmptyFilter(filter)
      ? { seqs: this.#read(({ query }) => query.seqs({}, limit + 1)) ?? [], isWhole: true }
      : await this.#matches(filter, limit + 1);
    const deliveries = await this.#deliveries(seqs.slice(0, limit));
    const hits = isEmptyFilter(filter) ? known.kept : seqs.length;
    return { ...known, deliveries, hasMore: seqs.length > limit, hits, hasAllHits: isWhole };
  }

  /** All matches, newest first. The newest `limit` are always found; finding the rest is time-limited. */
  async #matches(filter: DeliveryFilter, limit: number): Promise<{ seqs: number[]; isWhole: boolean }> {
    const begun = this.#read((store) => ({ store, batches: store.query.batches(filter) }));
    const seqs: number[] = [];
    let end = Infinity;
    while (!this.#isOver() && performance.now() < end) {
      // The statements belong to one open file: if it was replaced meanwhile, the search ends.
      const batch = this.#read((store) => (store === begun?.store ? begun.batches.next() : undefined));
      if (batch === undefined) break;
      if (batch.done === true) return { seqs, isWhole: true };
      seqs.push(...batch.value);
      if (seqs.length >= limit) end = Math.min(end, performance.now() + countLimitMs);
      await this.#yieldIfDue();
    }
    return { seqs, isWhole: false };
  }

  async #deliveries(seqs: readonly number[]): Promise<Delivery[]> {
    const deliveries: Delivery[] = [];
    for (const seq of seqs) {
      if (this.#isOver()) break;
      const delivery = this.#read(({ query }) => query.delivery(seq));
      await this.#yieldIfDue();
      // It may have been deleted meanwhile.
      if (delivery !== undefined) deliveries.push(delivery);
    }
    return deliveries;
  }

  /** Yields to waiting requests if the time slice is used up. */
  async #yieldIfDue(): Promise<void> {
    if (performance.now() - this.#sliceStart < sliceMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#sliceStart = performance.now();
  }
}
