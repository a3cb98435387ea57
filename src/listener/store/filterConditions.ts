import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { all, type DeliveryFilter } from '../../model/deliveries/deliveryFilter.ts';
import { ageOf } from '../../model/find/age.ts';
import { hasHeader, headersHold } from '../../model/find/headerSearch.ts';
import { headersOf } from '../../webhooks/signature/rawHeaders.ts';

/** An SQL condition over `deliveries` as d and `bodies` as b, and the values of its parameters. */
export interface Condition {
  sql: string;
  values: SQLInputValue[];
}

/** The longest text for LIKE; SQLite refuses longer patterns. */
const longestPattern = 10_000;

const lastAttempt = 'FROM attempts WHERE seq = d.seq ORDER BY number DESC LIMIT 1';

/** Adds the SQL functions that the conditions call and SQLite lacks. */
export function addFunctions(database: DatabaseSync): void {
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
export function conditionsOf(filter: DeliveryFilter, now: number): Condition[] {
  const { verdict, app, run, status, header, refused, since, text } = filter;
  const conditions = [
    ...anyOf(all(verdict), (one) => ({
      // The second term lets SQLite use the partial index on the other verdicts.
      sql: `d.verdict = ?${one === 'verified' ? '' : " AND d.verdict <> 'verified'"}`,
      values: [one],
    })),
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
  if (refused === true) {
    conditions.push({
      sql: `(SELECT coalesce(status, 0) NOT BETWEEN 200 AND 299 ${lastAttempt})`,
      values: [],
    });
  }
  if (since !== undefined) conditions.push({ sql: 'd.received_at >= ?', values: [now - ageOf(since)] });
  return conditions;
}

/** Matches a text in one place, ignoring case. */
export function textIn(place: string, text: string, atStart = false): Condition {
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
