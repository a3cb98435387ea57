import { masked } from './masking.ts';
import { SecretFinder, type Range } from './secretFinder.ts';
import { formsOf } from './secretForms.ts';
import { layerOfBytes, layerOfText } from './textLayer.ts';

/** How many characters are looked at in one go, and how many of them twice: what lies across the border. */
const windowLength = 1_000_000;
const overlap = 100_000;

/** Of a text that was cut off, so much of a value at its end is masked, in bytes. */
const tellingStart = 8;

/** JSON below that depth is left out. */
const deepest = 50;

/**
 * Takes the tokens and secrets that are held out of what came from elsewhere: a service, a proxy, an app or a stranger
 * may echo them, and what they send is shown, kept in files, and handed to other extensions and to language models.
 *
 * It finds them as they are, percent-encoded and escaped as in JSON (several times too), in base64 and hexadecimal,
 * and split over white space, quotes and separators, names of fields between them included. A value of eight
 * characters or more is found anywhere, one of four to seven where it is a word by itself. A shorter one stays: it
 * is no secret to anybody who has something that was signed with it. All else stays as it is.
 */
export class SecretMask {
  readonly #finder: SecretFinder;
  /** How much longer than a text has to be what it is cut from, for nothing of a value to be left at its end. */
  readonly margin: number;

  constructor(values: Iterable<string>) {
    this.#finder = new SecretFinder([...new Set(values)].flatMap(formsOf));
    this.margin = Math.min(overlap, 8 * this.#finder.longest);
  }

  text(text: string): string {
    return replaced(text, this.#find(text));
  }

  /** The same of a text whose end is missing: it may end with the beginning of a value, and an ellipsis after that. */
  start(text: string): string {
    if (text.endsWith('…')) return `${this.start(text.slice(0, -1))}…`;
    const tail = Math.max(0, text.length - this.margin);
    const begun = tail + this.#finder.begun(layerOfText(text.slice(tail)), tellingStart);
    const ranges = this.#find(text).filter(({ start }) => start < begun);
    const isWhole = begun >= text.length || begun < (ranges.at(-1)?.end ?? 0);
    return replaced(text, isWhole ? ranges : [...ranges, { start: begun, end: text.length }]);
  }

  /** Texts that stand one after the other: a value may be split over them. */
  texts(texts: readonly string[]): string[] {
    const whole = texts.join('\0');
    const ranges = this.#find(whole);
    if (ranges.length === 0) return [...texts];
    let next = 0;
    let at = 0;
    return texts.map((text) => {
      const [begin, end] = [at, at + text.length];
      at = end + 1;
      const inside: Range[] = [];
      for (; (ranges[next]?.start ?? Infinity) < end; next += 1) {
        const range = ranges[next];
        if (range !== undefined)
          inside.push({ start: range.start - begin, end: Math.min(range.end, end) - begin });
      }
      return replaced(text, inside);
    });
  }

  /** The values of headers, by their names. */
  headers(headers: Record<string, string>): Record<string, string> {
    const values = this.texts(Object.values(headers));
    return Object.fromEntries(Object.keys(headers).map((name, at) => [this.text(name), values[at] ?? '']));
  }

  /** A JSON value: in texts, in numbers and in names, and split over several of them. */
  json(value: unknown): unknown {
    const masking = (texts: readonly string[]) => this.texts(texts);
    return mapLeaves(mapLeaves(value, 'all', masking), 'values', masking);
  }

  /**
   * A body as it comes. What may be the beginning of a value waits for the piece that tells; of one that is encoded or
   * split, up to three bytes do not.
   */
  async *body(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let seen: Uint8Array = new Uint8Array();
    let given = 0;
    for await (const piece of pieces) {
      seen = joined([seen, piece]);
      const { clean, end } = this.#clean(seen, given);
      if (clean.length > 0) yield clean;
      // What has been given stays for a while: what follows may be the rest of it.
      const context = Math.max(0, end - this.margin);
      seen = seen.subarray(context);
      given = end - context;
    }
    if (given < seen.length)
      yield maskedBytes(seen, given, seen.length, this.#finder.find(layerOfBytes(seen)));
  }

  /** The bytes from a place on that may be given, and where they end. */
  #clean(bytes: Uint8Array, from: number): { clean: Uint8Array; end: number } {
    const ranges = this.#finder.find(layerOfBytes(bytes));
    const tail = Math.max(0, bytes.length - this.margin);
    const begun = Math.max(from, tail + this.#finder.begun(layerOfBytes(bytes.subarray(tail))));
    const across = ranges.find(({ start, end }) => start < begun && begun < end);
    const end = across?.end ?? begun;
    return { clean: maskedBytes(bytes, from, end, ranges), end };
  }

  #find(text: string): Range[] {
    if (text.length <= windowLength + overlap) return this.#finder.find(layerOfText(text));
    const found: Range[] = [];
    for (let at = 0; at < text.length; at += windowLength) {
      for (const { start, end } of this.#finder.find(
        layerOfText(text.slice(at, at + windowLength + overlap)),
      )) {
        // What the window before has found already, whole or its end.
        if (at + start >= (found.at(-1)?.end ?? 0)) found.push({ start: at + start, end: at + end });
      }
    }
    return found;
  }
}

function replaced(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  let at = 0;
  const parts = ranges.map(({ start, end }) => {
    const part = text.slice(at, start) + masked;
    at = end;
    return part;
  });
  return parts.join('') + text.slice(at);
}

const mark = new TextEncoder().encode(masked);

function maskedBytes(bytes: Uint8Array, from: number, to: number, ranges: readonly Range[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = from;
  for (const { start, end } of ranges) {
    if (end <= at || start >= to) continue;
    parts.push(bytes.subarray(at, Math.max(at, start)), mark);
    at = end;
  }
  if (parts.length === 0) return bytes.slice(from, to);
  return joined([...parts, bytes.subarray(at, Math.max(at, to))]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The value with its texts and numbers, and its names where all are meant, put through `map`, in their order. */
function mapLeaves(
  value: unknown,
  which: 'all' | 'values',
  map: (texts: readonly string[]) => readonly string[],
): unknown {
  const texts: string[] = [];
  walk(value, which, (text) => {
    texts.push(text);
    return text;
  });
  const mapped = map(texts);
  let next = 0;
  return walk(value, which, (text) => mapped[next++] ?? text);
}

function walk(value: unknown, which: 'all' | 'values', see: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return see(value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    const text = String(value);
    const seen = see(text);
    return seen === text ? value : seen;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return '…';
  if (Array.isArray(value)) return value.map((one) => walk(one, which, see, depth + 1));
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [
    which === 'all' ? see(name) : name,
    walk(inner, which, see, depth + 1),
  ]);
  return Object.fromEntries(entries);
}
