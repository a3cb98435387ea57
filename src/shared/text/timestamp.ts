import { isJsonObject, type JsonObject } from '../json/jsonObject.ts';

/**
 * ISO 8601, also without its separators, with a space in place of the T, an offset of hours alone, and what Java
 * (`[UTC]`) and Go (`+0000 UTC`) add.
 */
const iso =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[Tt ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?(?:[ ]?(Z|z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)(?: UTC| GMT|\[(?:UTC|GMT|Z)\])?)?)?$/;
/** The date of HTTP and of e-mail. */
const http = /^[A-Za-z]{3}, \d{1,2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|UTC|[+-]\d{4})$/;
/** As JavaScript writes a date as a text. */
const script = /^[A-Za-z]{3} [A-Za-z]{3} \d{2} \d{4} \d{2}:\d{2}:\d{2} GMT[+-]\d{4}(?: \([^)]{1,60}\))?$/;
/** As earlier versions of .NET write it in JSON. */
const dotNet = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/;

/** In seconds: what is earlier is no date of a key, but the length of a time. The year 2000. */
const earliest = 946_684_800;

/**
 * A point in time as services write it, in milliseconds since 1970: a text (UTC where it names no zone), Unix time in
 * seconds, milliseconds, micro- or nanoseconds, or an object as databases and libraries write it. undefined for
 * anything else, and for what means "none": null, 0, the year 1.
 */
export function readTimestamp(value: unknown): number | undefined {
  const at = read(value);
  return at > 0 && at <= 8.64e15 ? at : undefined;
}

function read(value: unknown): number {
  if (typeof value === 'number') return fromUnix(value);
  if (typeof value === 'string') return fromText(value.trim());
  return isJsonObject(value) ? fromObject(value) : NaN;
}

function fromText(text: string): number {
  if (/^\d{9,19}(\.\d+)?$/.test(text)) return fromUnix(Number(text));
  if (http.test(text) || script.test(text)) return Date.parse(text);
  const milliseconds = dotNet.exec(text)?.[1];
  if (milliseconds !== undefined) return Number(milliseconds);
  return fromIso(text);
}

function fromIso(text: string): number {
  const [whole, year, month, day, hours = '00', minutes = '00', seconds = '00', fraction = '0', zone = 'Z'] =
    iso.exec(text) ?? [];
  if (whole === undefined) return NaN;
  const date = `${year}-${month}-${day}`;
  const [, sign, offsetHours, offsetMinutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  const offset = sign === undefined ? 'Z' : `${sign}${offsetHours}:${offsetMinutes}`;
  const at = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${fraction}${offset}`);
  // The 30th of February would become the 2nd of March.
  return new Date(Date.parse(`${date}T00:00:00Z`) || 0).toISOString().startsWith(date) ? at : NaN;
}

/** The unit shows in the size: seconds stay below 1e11 until the year 5138. */
function fromUnix(value: number): number {
  if (value < 1e11) return value < earliest ? NaN : value * 1000;
  if (value < 1e14) return value;
  return value < 1e17 ? value / 1e3 : value / 1e6;
}

/** The names of fields that hold seconds: of protocol buffers, Firestore, Java. */
const secondsNames = ['seconds', '_seconds', 'epochSecond'];

/** An object that stands for a point in time. */
function fromObject(object: JsonObject): number {
  for (const name of secondsNames) {
    const seconds = object[name];
    if (typeof seconds === 'number' || typeof seconds === 'string') return fromUnix(Number(seconds || NaN));
  }
  // MongoDB writes a text, milliseconds, or these as a text.
  const mongo = object['$date'];
  if (mongo !== undefined) {
    const long = isJsonObject(mongo) ? (mongo['$numberLong'] ?? mongo['$numberDouble']) : mongo;
    if (typeof long === 'number') return long;
    if (typeof long !== 'string') return NaN;
    return /^-?\d+$/.test(long) ? Number(long) : fromText(long.trim());
  }
  if (object['__type'] === 'Date') return read(object['iso']);
  const { date, timezone } = object;
  // PHP: a time on the clock of a zone.
  if (typeof date !== 'string' || typeof timezone !== 'string') return NaN;
  const text = date.trim();
  return /^[+-]\d{2}:?\d{2}$/.test(timezone) ? fromText(text + timezone) : inZone(fromText(text), timezone);
}

/** The point in time at which the clocks of a zone show what those of UTC show at `clock`. */
function inZone(clock: number, timeZone: string): number {
  if (Number.isNaN(clock)) return NaN;
  try {
    const format = new Intl.DateTimeFormat('en', {
      ...{ timeZone, hourCycle: 'h23' },
      ...{
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
      },
    });
    const shown = (at: number): number => {
      const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
      const { year, month, day, hour, minute, second } = parts;
      return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    };
    const whole = Math.floor(clock / 1000) * 1000;
    // Where the clocks were changed between the two, the offset of the first is not that of the second.
    const first = whole - (shown(whole) - whole);
    return first - (shown(first) - whole) + (clock - whole);
  } catch {
    // It names no zone that is known.
    return NaN;
  }
}
