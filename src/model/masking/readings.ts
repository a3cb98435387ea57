/** A text as somebody reads it, and where each of its characters stands in the source. */
export interface Reading {
  text: string;
  /** The place in the source of a place in the text. */
  inSource: (at: number) => number;
  /** Where an escape begins in the source that is cut off at its end; the end of the source if none is. */
  cutAt: number;
}

const jsonEscape = /\\(?:u([\da-f]{4})|([^u]))/gi;
const cutJsonEscape = /\\(?:u[\da-f]{0,3})?$/i;
const percentEscape = /%([\da-f]{2})/gi;
const cutPercentEscape = /%[\da-f]?$/i;

const controls: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' };

/** A text as it is, without the escapes of JSON, and without percent-encoding: once each, not one after the other. */
export function readingsOf(source: string): Reading[] {
  const readings: Reading[] = [{ text: source, inSource: (at) => at, cutAt: source.length }];
  if (source.includes('\\')) readings.push(withoutEscapes(source, jsonEscape, cutJsonEscape));
  if (source.includes('%')) readings.push(withoutEscapes(source, percentEscape, cutPercentEscape));
  return readings;
}

/** An escape stands for one character. A byte that is percent-encoded becomes one, too. */
function withoutEscapes(source: string, escape: RegExp, cutEscape: RegExp): Reading {
  const parts: string[] = [];
  /** Where each escape ends, in the text and in the source. */
  const ends: { text: number; source: number }[] = [];
  let [read, length] = [0, 0];
  for (const { 0: written, 1: hex, 2: sign = '', index } of source.matchAll(escape)) {
    const meant = hex === undefined ? (controls[sign] ?? sign) : String.fromCharCode(parseInt(hex, 16));
    parts.push(source.slice(read, index), meant);
    length += index - read + 1;
    read = index + written.length;
    ends.push({ text: length, source: read });
  }
  const rest = source.slice(read);
  const cut = cutEscape.exec(rest)?.index ?? rest.length;
  parts.push(rest.slice(0, cut));
  const inSource = (at: number): number => {
    // Halves what is left of the escapes, up to the last one that ends at this place or before it.
    let [from, to] = [0, ends.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((ends[middle]?.text ?? 0) <= at) from = middle + 1;
      else to = middle;
    }
    const end = ends[from - 1] ?? { text: 0, source: 0 };
    return end.source + at - end.text;
  };
  return { text: parts.join(''), inSource, cutAt: read + cut };
}
