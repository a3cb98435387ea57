import { entity, withoutEntities } from '../text/htmlText.ts';
import { masked } from './likelySecrets.ts';

/** A part of a text: from `start` up to `end`. */
interface Range {
  start: number;
  end: number;
}

/** A shorter writing of a value is found as a word by itself alone, because it occurs in others by chance. */
const shortestAnywhere = 8;

/** Shorter values are not masked: anyone with one signed delivery can find such a secret by trying all. */
const shortest = 4;

/** How much of a value has to be at the end of a truncated text to be masked, in characters. */
const tellingStart = 8;

/** The most characters that an escape takes for one byte. */
const longestEscape = 10;

/** JSON nested deeper is left out. */
const deepest = 50;

/** A character beside a word that makes it a part of a longer one. */
const ofWord = /[\w\x80-\uffff-]/;

/**
 * Masks the held tokens and secrets in data from outside: a service, a proxy, an app or a stranger may echo them, and
 * what they send is shown, kept in files, and passed to other extensions and to language models.
 *
 * It finds a value as it is, escaped as in JSON, percent-encoded, with entities of HTML, and in base64 of it or of a
 * longer text around it.
 * A value of eight characters or more is found anywhere, one of four to seven only as a word by itself, and a shorter
 * one not at all. Everything else stays.
 */
export class SecretMask {
  readonly #values: readonly string[];
  readonly #needles: readonly string[];
  /** The needles that are found as words by themselves alone: those of short values that are short themselves. */
  readonly #words: ReadonlySet<string>;
  /** How many more characters to mask than a text is then cut to, so that no part of a value is left at its end. */
  readonly margin: number;

  constructor(values: Iterable<string>) {
    this.#values = [...new Set(Array.from(values, (value) => value.trim()))].filter(
      (value) => Buffer.byteLength(value) >= shortest,
    );
    const all = this.#values.flatMap((value) => needlesOf(value).map((needle) => ({ value, needle })));
    const isWord = ({ value, needle }: { value: string; needle: string }): boolean =>
      isShort(value) && isShort(needle);
    const anywhere = new Set(all.filter((one) => !isWord(one)).map(({ needle }) => needle));
    this.#needles = [...new Set(all.map(({ needle }) => needle))];
    this.#words = new Set(this.#needles.filter((needle) => !anywhere.has(needle)));
    this.margin = longestEscape * Math.max(0, ...this.#values.map((value) => Buffer.byteLength(value)));
  }

  text(text: string): string {
    return replaced(text, this.#find(text));
  }

  /** Like `text`, for a truncated text: it may end with the beginning of a value, and ellipses after that. */
  start(text: string): string {
    let end = text.length;
    while (text.charAt(end - 1) === '…') end -= 1;
    const told = text.slice(0, end);
    const begun = this.#begun(told, tellingStart);
    const isWhole = begun === told.length;
    const ranges = [...this.#find(told), ...(isWhole ? [] : [{ start: begun, end }])];
    return replaced(told, merged(ranges)) + text.slice(end);
  }

  /** Masks the lines of a log: a value may be split over them, with other words between its halves. */
  lines(lines: readonly string[]): string[] {
    // guard S123: A secret is masked across two lines, too.
    const joined = this.#find(lines.join(''));
    let begin = 0;
    return lines.map((line) => {
      const parts = joined.map(({ start, end }) => ({
        start: Math.max(0, start - begin),
        end: Math.min(line.length, end - begin),
      }));
      begin += line.length;
      const ranges = [...this.#find(line), ...parts.filter(({ start, end }) => start < end)];
      return this.#values.reduce(withoutHalves, replaced(line, merged(ranges)));
    });
  }

  /** Masks headers, both their names and their values. */
  headers(headers: Record<string, string>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [this.text(name), this.text(value)]),
    );
  }

  /** Masks a JSON value: in strings, in numbers and in property names. */
  json(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') {
      const text = String(value);
      const clean = this.text(text);
      return clean === text ? value : clean;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth > deepest) return '…';
    if (Array.isArray(value)) return value.map((one) => this.json(one, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.text(name), this.json(inner, depth + 1)]),
    );
  }

  /** Masks a streaming body. Bytes that may begin a value are held back until a later piece decides it. */
  async *body(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const mark = latin1(Buffer.from(masked));
    let [held, before] = ['', ''];
    for await (const piece of pieces) {
      held += latin1(piece);
      const ranges = this.#find(held, before);
      const begun = this.#begun(held, 1);
      const end = ranges.find((range) => range.start < begun && begun < range.end)?.end ?? begun;
      if (end === 0) continue;
      const given = ranges.filter((range) => range.end <= end);
      yield Buffer.from(replaced(held.slice(0, end), given, mark), 'latin1');
      before = held.charAt(end - 1);
      held = held.slice(end);
    }
    if (held !== '') yield Buffer.from(replaced(held, this.#find(held, before), mark), 'latin1');
  }

  /**
   * Where the values stand, in order.
   * @param before the character before the text, which makes what it begins with a part of a longer word
   */
  #find(source: string, before = ''): Range[] {
    const ranges: Range[] = [];
    for (const { text, inSource } of readingsOf(source)) {
      for (const needle of this.#needles) {
        // guard S111: The work grows with the length of the text only.
        for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
          const end = at + needle.length;
          if (
            this.#words.has(needle) &&
            ofWord.test((at === 0 ? before : text.charAt(at - 1)) + text.charAt(end))
          ) {
            continue;
          }
          ranges.push({ start: inSource(at), end: inSource(end) });
        }
      }
    }
    return merged(ranges);
  }

  /**
   * The place from which a text may end with the beginning of a value, of `least` characters or more; the end if it
   * does not. Of one character, an escape that is cut off may be the beginning.
   */
  #begun(source: string, least: number): number {
    let begun = source.length;
    for (const { text, inSource, cutAt } of readingsOf(source)) {
      if (least === 1) begun = Math.min(begun, cutAt);
      for (const needle of this.#needles) {
        const at = begunAt(text, needle, least, this.#words.has(needle));
        if (at < text.length) begun = Math.min(begun, inSource(at));
      }
    }
    return begun;
  }
}

/** All that is looked for of a value, in a text and in bytes that are read as one character each. */
// guard S108: A secret is found as it is, escaped as in JSON, percent-encoded, with entities of HTML, or in base64.
function needlesOf(value: string): string[] {
  const bytes = latin1(Buffer.from(value));
  const base64 = [btoa(bytes).replaceAll('=', ''), ...base64Cores(bytes)];
  // The last is the UTF-8 of a header that was read as Latin-1.
  const plain = [value, bytes, latin1(Buffer.from(bytes))];
  return [
    // A form writes a plus for a space, and lines are looked through without their ends.
    ...plain.flatMap((one) => [one, one.replaceAll(' ', '+'), one.replace(/[\r\n]+/g, '')]),
    ...base64.flatMap((digits) => [digits, digits.replaceAll('+', '-').replaceAll('/', '_')]),
  ].filter(({ length }) => length >= shortest);
}

/** The base64 digits that depend on these bytes alone, with zero, one or two other bytes in front. */
function base64Cores(bytes: string): string[] {
  return [0, 1, 2]
    .map((before) => {
      const padded = '\0'.repeat(before) + bytes;
      return btoa(padded).slice(Math.ceil((8 * before) / 6), Math.floor((8 * padded.length) / 6));
    })
    .filter(({ length }) => length >= shortestAnywhere);
}

function isShort(text: string): boolean {
  return text.length < shortestAnywhere;
}

/** Where a text ends with a beginning of the needle; its length if it does not. */
function begunAt(text: string, needle: string, least: number, isWord: boolean): number {
  // Whether it is a word by itself is known once the next character comes.
  const longest = isWord && least === 1 ? needle.length : needle.length - 1;
  const head = needle.slice(0, least);
  for (
    let at = text.indexOf(head, Math.max(0, text.length - longest));
    at >= 0;
    at = text.indexOf(head, at + 1)
  ) {
    if (needle.startsWith(text.slice(at))) return at;
  }
  return text.length;
}

/** In order, and those that overlap as one. */
function merged(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = all.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
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

/**
 * Masks the halves of a value, wherever they stand: a program may print it in two pieces with other words between
 * them, such as the time at the start of a line of a log. Parts of short values occur in other words by chance.
 */
function withoutHalves(text: string, value: string): string {
  const least = Math.max(shortestAnywhere, Math.floor(value.length / 2));
  const ranges: Range[] = [];
  for (let at = 0; at + least <= text.length; at += 1) {
    if (value.includes(text.slice(at, at + least))) ranges.push({ start: at, end: at + least });
  }
  return replaced(text, merged(ranges));
}

/** One character for each byte. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** A text as somebody reads it, and where each of its characters stands in the source. */
interface Reading {
  text: string;
  /** The place in the source of a place in the text. */
  inSource: (at: number) => number;
  /** Where an escape begins in the source that is cut off at its end; the end of the source if none is. */
  cutAt: number;
}

/** A way to write characters as others. */
interface Escapes {
  /** What each begins with. */
  begin: string;
  all: RegExp;
  /** One that is cut off at the end. */
  cut: RegExp;
  /** What it stands for. */
  meant: (escape: RegExpExecArray) => string;
}

const controls: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' };

const escapes: readonly Escapes[] = [
  {
    begin: '\\',
    all: /\\(?:u([\da-f]{4})|([^u]))/gi,
    cut: /\\(?:u[\da-f]{0,3})?$/i,
    meant: ([, hex, sign = '']) => (hex === undefined ? (controls[sign] ?? sign) : characterOf(hex)),
  },
  {
    begin: '%',
    all: /%([\da-f]{2})/gi,
    cut: /%[\da-f]?$/i,
    meant: ([, hex = '']) => characterOf(hex),
  },
  {
    begin: '&',
    all: entity,
    cut: /&[#\w]{0,8}$/,
    meant: ([written]) => withoutEntities(written),
  },
];

function characterOf(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

/** A text as it is, and without each kind of escapes: once each, not one after the other. */
function readingsOf(source: string): Reading[] {
  return [
    { text: source, inSource: (at) => at, cutAt: source.length },
    ...escapes.filter(({ begin }) => source.includes(begin)).map((one) => withoutEscapes(source, one)),
  ];
}

/** A byte that is percent-encoded becomes one character. */
function withoutEscapes(source: string, { all, cut, meant }: Escapes): Reading {
  const parts: string[] = [];
  /** Where each escape ends, in the text and in the source. */
  const ends: { text: number; source: number }[] = [];
  let [read, length] = [0, 0];
  for (const escape of source.matchAll(all)) {
    const { index } = escape;
    const signs = meant(escape);
    parts.push(source.slice(read, index), signs);
    length += index - read + signs.length;
    read = index + escape[0].length;
    ends.push({ text: length, source: read });
  }
  const rest = source.slice(read);
  const end = cut.exec(rest)?.index ?? rest.length;
  parts.push(rest.slice(0, end));
  const inSource = (at: number): number => {
    // Halves what is left of the escapes, up to the last one that ends at this place or before it.
    let [from, to] = [0, ends.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((ends[middle]?.text ?? 0) <= at) from = middle + 1;
      else to = middle;
    }
    const last = ends[from - 1] ?? { text: 0, source: 0 };
    return last.source + at - last.text;
  };
  return { text: parts.join(''), inSource, cutAt: read + end };
}
