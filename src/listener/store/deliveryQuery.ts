import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { DeliveryFilter } from '../../model/deliveries/deliveryFilter.ts';
import { type DeliveryRow, readRow, rowColumns, rowTables } from './deliveryRow.ts';

/** A condition of SQL, and the values for its question marks. */
interface Condition {
  sql: string;
  values: SQLInputValue[];
}

/** SQLite refuses longer ones. */
const longestPattern = 10_000;

/** Searches what is kept. */
export class DeliveryQuery {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    // SQLite's LIKE knows the case of ASCII alone.
    database.function('holds', { deterministic: true }, (text, sought) =>
      textOf(text).toLowerCase().includes(String(sought)) ? 1 : 0,
    );
  }

  /** The numbers of those that fit, the newest first, without reading their bodies. */
  seqs(filter: DeliveryFilter, limit: number, before = Number.MAX_SAFE_INTEGER): number[] {
    const conditions = conditionsOf(filter);
    const where = ['d.seq < ?', ...conditions.map(({ sql }) => sql)].join(' AND ');
    const bodies = filter.text === undefined ? '' : ' JOIN bodies b ON b.seq = d.seq';
    const sql = `SELECT d.seq FROM deliveries d${bodies} WHERE ${where} ORDER BY d.seq DESC LIMIT ?`;
    const values = [before, ...conditions.flatMap((one) => one.values), limit];
    return this.#statement(sql)
      .all(...values)
      .map(({ seq }) => Number(seq));
  }

  row(seq: number): DeliveryRow | undefined {
    const row = this.#statement(`SELECT ${rowColumns} FROM ${rowTables} WHERE d.seq = ?`).get(seq);
    return row && readRow(row);
  }

  #statement(sql: string): StatementSync {
    const prepared = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function conditionsOf({ verdict, app, text }: DeliveryFilter): Condition[] {
  const conditions: Condition[] = [];
  if (verdict !== undefined) conditions.push({ sql: 'd.verdict = ?', values: [verdict] });
  if (app !== undefined) conditions.push({ sql: 'd.app_name = ?', values: [app] });
  if (text !== undefined) conditions.push(textCondition(text));
  return conditions;
}

/** A text in the body, or in what is read beside it, in any case of its letters. */
function textCondition(text: string): Condition {
  const places = ['d.path', 'd.headers', 'd.run_id', 'd.app_name'];
  if (text.length <= longestPattern && /^\p{ASCII}*$/u.test(text)) {
    const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const fits = (place: string): string => `${place} LIKE ? ESCAPE '\\'`;
    const body = `(d.is_text = 1 AND ${fits('CAST(b.body AS TEXT)')})`;
    const sql = `(${[...places.map(fits), body].join(' OR ')})`;
    return { sql, values: Array<string>(places.length + 1).fill(pattern) };
  }
  const sql = `(${[...places.map((place) => `holds(${place}, ?)`), '(d.is_text = 1 AND holds(b.body, ?))'].join(' OR ')})`;
  return { sql, values: Array<string>(places.length + 1).fill(text.toLowerCase()) };
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
  return typeof value === 'string' ? value : '';
}
