const iso = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|z|UTC|[+-]\d{2}:?\d{2})?)?$/;
const http = /^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * A point in time as services write it, in milliseconds since 1970: ISO 8601 (UTC where it names no zone), an
 * HTTP date, or Unix time in seconds, milliseconds, micro- or nanoseconds. undefined for anything else, and for
 * what means "none": null, 0, the year 1.
 */
export function readTimestamp(value: unknown): number | undefined {
  const at =
    typeof value === 'number' ? fromUnix(value) : typeof value === 'string' ? fromText(value.trim()) : NaN;
  return at > 0 && at <= 8.64e15 ? at : undefined;
}

function fromText(text: string): number {
  if (/^\d{9,19}(\.\d+)?$/.test(text)) return fromUnix(Number(text));
  if (http.test(text)) return Date.parse(text);
  const [whole, date = '', time = '00:00', zone = 'Z'] = iso.exec(text) ?? [];
  if (whole === undefined) return NaN;
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(...):?/, '$1:') : 'Z';
  return Date.parse(`${date}T${time}${offset}`);
}

/** The unit shows in the size: seconds stay below 1e11 until the year 5138. */
function fromUnix(value: number): number {
  if (value < 1e11) return value * 1000;
  if (value < 1e14) return value;
  return value < 1e17 ? value / 1e3 : value / 1e6;
}
