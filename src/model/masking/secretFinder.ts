import { decodedLayers } from './decodedLayers.ts';
import { isGap, namesIn } from './pieceGaps.ts';
import { Scratch } from './scratch.ts';
import type { SecretForm } from './secretForms.ts';
import type { TextLayer } from './textLayer.ts';

/** A range of a source: from `start` up to `end`. */
export interface Range {
  start: number;
  end: number;
}

/** The longest gap between two bytes of a split value, in bytes. */
const longestGap = 100;

/** How many of its first bytes tell a value from other text. */
const headLength = 4;

/** The most bytes compared per byte of a text. Limits the work on text crafted to resemble a value. */
const mostCompared = 50;

/** Marks in a source: where a match begins, and where it continues. */
const beginning = 1;
const inside = 2;

/** A form in a layer, or the beginning of a form at the end of the layer, as the positions of its bytes. */
interface Match {
  places: readonly number[];
  isWhole: boolean;
}

/**
 * Finds all forms of some values in one pass over a text, however many there are. It looks up the first bytes of each
 * form; where they occur, it compares the rest and skips gaps.
 */
export class SecretFinder {
  readonly #plain: readonly string[];
  readonly #byHead = new Map<number, SecretForm[]>();
  /** Whether a head may end with these two bytes. Rules out most positions of most texts. */
  readonly #mayBegin = new Uint8Array(0x10000);
  readonly #contiguous: readonly SecretForm[];
  readonly #marks = new Scratch();
  readonly #names = new Scratch();

  constructor(forms: readonly SecretForm[]) {
    this.#plain = forms.filter(({ isPlain }) => isPlain).map(({ bytes }) => bytes);
    this.#contiguous = forms.filter(({ found }) => found !== 'anywhere');
    for (const form of forms.filter(({ found }) => found === 'anywhere')) {
      const solid = Array.from(form.bytes, (one) => one.charCodeAt(0)).filter((byte) => !isGap(byte));
      const head = solid.slice(0, headLength).reduce(longerHead, 0);
      this.#mayBegin[head & 0xffff] = 1;
      this.#byHead.set(head, [...(this.#byHead.get(head) ?? []), form]);
    }
  }

  /** The longest value, in bytes. */
  get longest(): number {
    return this.#plain.reduce((most, { length }) => Math.max(most, length), 0);
  }

  /** The ranges of the values, ordered by start. A split value has several ranges. */
  find(source: TextLayer): Range[] {
    const marks = this.#marks.zeros(source.to.at(-1) ?? 0);
    for (const layer of decodedLayers(source, false, this.#marks)) {
      this.#match(layer, false, ({ places, isWhole }) => {
        if (isWhole) mark(layer, places, marks);
      });
      for (const form of this.#contiguous) markContiguous(layer, form, marks);
    }
    return rangesOf(marks);
  }

  /**
   * The position from which the source may end with the beginning of a value, or within an escape; else its end.
   * @param least how many bytes of a value must be there; if absent, one byte of a plain value or a head of any form
   */
  begun(source: TextLayer, least?: number): number {
    let begun = source.to.at(-1) ?? 0;
    for (const layer of decodedLayers(source, true, this.#marks)) {
      const { bytes, from, to } = layer;
      if (least === undefined) {
        const longest = Math.max(0, ...this.#plain.map((plain) => begunLength(bytes, plain)));
        begun = Math.min(begun, from[bytes.length - longest] ?? to.at(-1) ?? 0);
      }
      this.#match(layer, true, ({ places, isWhole }) => {
        if (isWhole || places.length < (least ?? headLength)) return;
        begun = Math.min(begun, from[places[0] ?? 0] ?? begun);
      });
    }
    return begun;
  }

  /** Scans a layer without its gaps, and if it has names, once more without those too. */
  #match({ bytes }: TextLayer, goesOn: boolean, take: (match: Match) => void): void {
    const budget = { left: mostCompared * (bytes.length + this.longest) };
    for (const names of new Set([undefined, namesIn(bytes, goesOn, this.#names)])) {
      const places = new Int32Array(headLength);
      let count = 0;
      let head = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes.charCodeAt(at);
        if (isGap(byte) || names?.[at] === 1) continue;
        places[count % headLength] = at;
        count += 1;
        head = longerHead(head, byte);
        const forms = this.#mayBegin[head & 0xffff] === 1 ? this.#byHead.get(head) : undefined;
        if (forms === undefined) continue;
        const start = places[count % headLength] ?? 0;
        for (const form of forms) {
          const match = matchAt(bytes, names, start, form, budget);
          if (match !== undefined) take(match);
        }
        if (budget.left >= 0) continue;
        // guard: it compares so much and no more
        take({ places: placesFrom(start, bytes.length), isWhole: true });
        return;
      }
    }
  }
}

/** The last four bytes as a number, without the top two bits, so that the number needs no memory of its own. */
function longerHead(head: number, byte: number): number {
  return ((head << 8) | byte) & 0x3fffffff;
}

/** Matches a form that begins at a position; only its beginning if the text ends first. */
function matchAt(
  bytes: string,
  names: Uint8Array | undefined,
  start: number,
  form: SecretForm,
  budget: { left: number },
): Match | undefined {
  const places: number[] = [];
  let gap = 0;
  for (let at = start; places.length < form.bytes.length; at += 1) {
    if (at === bytes.length) return { places, isWhole: false };
    const [byte, wanted] = [bytes.charCodeAt(at), form.bytes.charCodeAt(places.length)];
    if (names?.[at] !== 1 && (byte === wanted || (isWhite(byte) && isWhite(wanted)))) {
      places.push(at);
      gap = 0;
    } else if (gap < longestGap && (isGap(byte) || names?.[at] === 1)) gap += 1;
    else return undefined;
    budget.left -= 1;
    if (budget.left < 0) return undefined;
  }
  return { places: withRims(bytes, places, form), isWhole: true };
}

/** Extends a match by the adjacent characters that belong to the form. */
function withRims(bytes: string, places: readonly number[], form: SecretForm): number[] {
  const { before, after, isPlain } = form;
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  let [start, end] = [first, last + 1];
  if (!isPlain) {
    if (isDigit(bytes.charAt(start - 1))) start -= 1;
    if (isDigit(bytes.charAt(end))) end += 1;
  }
  for (let at = 1; at <= before.length && bytes.charAt(start - 1) === before.at(-at); at += 1) start -= 1;
  for (let at = 0; at < after.length && bytes.charAt(end) === after.at(at); at += 1) end += 1;
  return [...placesFrom(start, first), ...places, ...placesFrom(last + 1, end)];
}

function placesFrom(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, at) => start + at);
}

/** Whether it may be a digit of base64. */
function isDigit(character: string): boolean {
  return /^[\w+/-]$/.test(character);
}

function isWhite(byte: number): boolean {
  return byte === 0x20 || (byte >= 9 && byte <= 13);
}

function markContiguous(layer: TextLayer, form: SecretForm, marks: Uint8Array): void {
  const { bytes } = layer;
  const { length } = form.bytes;
  for (let at = bytes.indexOf(form.bytes); at >= 0; at = bytes.indexOf(form.bytes, at + 1)) {
    const beside = bytes.charAt(at - 1) + bytes.charAt(at + length);
    // Non-ASCII bytes count as letters.
    if (form.found === 'word' && /[\w\x80-\xff-]/.test(beside)) continue;
    mark(layer, placesFrom(at, at + length), marks);
  }
}

/**
 * Marks positions of a layer in the source, with the white space between two of them. Matches that overlap become one
 * range. Matches that touch stay two ranges, because the beginning of each has a mark of its own.
 */
function mark({ bytes, from, to }: TextLayer, places: readonly number[], marks: Uint8Array): void {
  let before = -1;
  for (const place of places) {
    const between = before < 0 ? undefined : bytes.slice(before + 1, place);
    const isBeside = between?.trim() === '';
    const start = (isBeside ? to[before] : from[place]) ?? 0;
    if (!isBeside && marks[start] === 0) marks[start] = beginning;
    marks.fill(inside, isBeside ? start : start + 1, to[place]);
    before = place;
  }
}

function rangesOf(marks: Uint8Array): Range[] {
  const ranges: Range[] = [];
  for (let at = 0; at < marks.length; at += 1) {
    const last = ranges.at(-1);
    if (marks[at] === beginning) ranges.push({ start: at, end: at + 1 });
    else if (marks[at] === inside && last !== undefined) last.end = at + 1;
  }
  return ranges;
}

/** How many of the last bytes are an incomplete beginning of a value. */
function begunLength(bytes: string, value: string): number {
  const last = bytes.at(-1);
  for (let length = Math.min(value.length - 1, bytes.length); length > 0; length -= 1) {
    if (value.at(length - 1) === last && bytes.endsWith(value.slice(0, length))) return length;
  }
  return 0;
}
