import { masked } from './masking.ts';
import { SecretFinder, type Range } from './secretFinder.ts';
import { formsOf } from './secretForms.ts';
import { withoutHalves } from './secretFragments.ts';
import { byteString, bytesOf, layerOfBytes, layerOfText, utf8 } from './textLayer.ts';

/** How many characters are searched at once, and how many of them twice, for values that lie across a border. */
const windowLength = 1_000_000;
const overlap = 100_000;

/** A larger piece of a body, in bytes, is searched in parts, which takes little memory at a time. */
const pieceBytes = 16 * 1024;

/** How much of a value has to be at the end of a truncated text to be masked, in bytes. */
const tellingStart = 8;

/** JSON nested deeper is left out. */
const deepest = 50;

/**
 * Masks the held tokens and secrets in data from outside: a service, a proxy, an app or a stranger may echo them, and
 * what they send is shown, kept in files, and passed to other extensions and to language models.
 *
 * It finds values as they are, percent-encoded and escaped as in JSON (also repeatedly), in base64 and hexadecimal,
 * and split by white space, quotes and separators, also with field names in between. A value of eight characters or
 * more is found anywhere, one of four to seven only as a word by itself. A shorter one is not masked: anyone who has
 * something signed with it can find it out. Everything else stays, except for a digit next to an encoded value.
 */
export class SecretMask {
  readonly #finder: SecretFinder;
  readonly #values: ReadonlySet<string>;
  /** How many more characters to mask than a text is then cut to, so that no part of a value is left at its end. */
  readonly margin: number;

  constructor(values: Iterable<string>) {
    this.#values = new Set(values);
    this.#finder = new SecretFinder([...this.#values].flatMap(formsOf));
    this.margin = Math.min(overlap, 8 * this.#finder.longest);
  }

  text(text: string): string {
    return replaced(text, this.#find(text));
  }

  /** Like `text`, for a truncated text: it may end with the beginning of a value, and an ellipsis after that. */
  start(text: string): string {
    if (text.endsWith('…')) return `${this.start(text.slice(0, -1))}…`;
    const tail = Math.max(0, text.length - this.margin);
    const begun = tail + this.#finder.begun(layerOfText(text.slice(tail)), tellingStart);
    const ranges = this.#find(text).filter(({ start }) => start < begun);
    const isWhole = begun >= text.length || begun < (ranges.at(-1)?.end ?? 0);
    return replaced(text, isWhole ? ranges : [...ranges, { start: begun, end: text.length }]);
  }

  /** Masks consecutive texts: a value may be split over them. */
  texts(texts: readonly string[]): string[] {
    const ranges = this.#find(texts.join('\0'));
    let next = 0;
    let begin = 0;
    return texts.map((text) => {
      const end = begin + text.length;
      while ((ranges[next]?.end ?? Infinity) <= begin) next += 1;
      const clean = replaced(text, within(ranges, next, begin, end));
      begin = end + 1;
      return clean;
    });
  }

  /** Masks the lines of a log: a value may be split over them, with other words between its halves. */
  lines(lines: readonly string[]): string[] {
    // guard: a secret over two lines
    return this.texts(lines).map((line) => withoutHalves(line, this.#values));
  }

  /** Masks headers, both their names and their values. */
  headers(headers: Record<string, string>): Record<string, string> {
    const values = this.texts(Object.values(headers));
    return Object.fromEntries(Object.keys(headers).map((name, at) => [this.text(name), values[at] ?? '']));
  }

  /** Masks a JSON value: in strings, in numbers and in property names, and split over several of them. */
  json(value: unknown): unknown {
    const masking = (texts: readonly string[]) => this.texts(texts);
    return mapLeaves(mapLeaves(value, 'all', masking), 'values', masking);
  }

  /**
   * Masks a streaming body. Bytes that may begin a value are held back until a later piece decides it. If the value
   * is encoded or split, up to three of its first bytes are not held back.
   */
  async *body(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let seen = '';
    let given = 0;
    for await (const piece of smallPieces(pieces)) {
      seen += byteString(piece);
      const ranges = this.#finder.find(layerOfBytes(seen));
      const tail = Math.max(0, seen.length - this.margin);
      const begun = Math.max(given, tail + this.#finder.begun(layerOfBytes(seen.slice(tail))));
      const end = ranges.find((range) => range.start < begun && begun < range.end)?.end ?? begun;
      if (end > given) yield cleanBytes(seen, ranges, given, end);
      // Keeps some of what was yielded as context: what follows may be the rest of a value in it.
      const context = Math.max(0, end - this.margin);
      seen = seen.slice(context);
      given = end - context;
    }
    if (given < seen.length) {
      yield cleanBytes(seen, this.#finder.find(layerOfBytes(seen)), given, seen.length);
    }
  }

  #find(text: string): Range[] {
    if (text.length <= windowLength + overlap) return this.#finder.find(layerOfText(text));
    const found: Range[] = [];
    for (let at = 0; at < text.length; at += windowLength) {
      for (const { start, end } of this.#finder.find(
        layerOfText(text.slice(at, at + windowLength + overlap)),
      )) {
        // Skips what the previous window has found already, whole or in part.
        if (at + start >= (found.at(-1)?.end ?? 0)) found.push({ start: at + start, end: at + end });
      }
    }
    return found;
  }
}

/** Splits large pieces, so that memory is freed soon. */
async function* smallPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += pieceBytes) yield piece.subarray(at, at + pieceBytes);
  }
}

function replaced(text: string, ranges: readonly Range[], by = masked): string {
  let at = 0;
  const parts = ranges.map(({ start, end }) => {
    const part = text.slice(at, start) + by;
    at = end;
    return part;
  });
  return parts.join('') + text.slice(at);
}

/** The ranges, from index `first` on, that overlap a part of the text, relative to the start of that part. */
function within(ranges: readonly Range[], first: number, begin: number, end: number): Range[] {
  const inside: Range[] = [];
  for (let next = first; (ranges[next]?.start ?? Infinity) < end; next += 1) {
    const range = ranges[next];
    if (range === undefined || range.end <= begin) continue;
    inside.push({ start: Math.max(range.start, begin) - begin, end: Math.min(range.end, end) - begin });
  }
  return inside;
}

const mark = utf8(masked);

function cleanBytes(bytes: string, ranges: readonly Range[], begin: number, end: number): Uint8Array {
  return bytesOf(replaced(bytes.slice(begin, end), within(ranges, 0, begin, end), mark));
}

/** Maps the strings and numbers of a value, and with `all` its property names too, in document order. */
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
  if (typeof value === 'number') {
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
