import { decodedLayers } from './decodedLayers.ts';
import { isGap, isWordByte, namesIn } from './pieceGaps.ts';
import { anchorLength, type SecretForm } from './secretForms.ts';
import type { TextLayer } from './textLayer.ts';

/** A piece of a source: from `start` up to `end`. */
export interface Range {
  start: number;
  end: number;
}

/** The most that may stand between two bytes of something that was split, in bytes. */
const longestGap = 100;

/** So much of the beginning of an encoded or split value tells it from other text, in bytes: as many as 32 bits hold. */
const tellingLength = 4;

/** What a search has found, and how many bytes it may still compare. */
interface Search {
  found: Range[];
  left: number;
}

/** Bytes that may be compared for each byte of a text: what is made to be much like a value ends here. */
const mostCompared = 50;

/** Of each byte, bits that have nothing to do with those of another: a hash forgets a byte after eight more. */
const bitsOf = Int32Array.from({ length: 256 }, (_, byte) =>
  Math.imul(Math.imul(byte + 1, 0x9e3779b1) ^ (byte << 7), 0x85ebca6b),
);

/**
 * Finds all forms of some values in one pass over a text, however many there are: by the last bytes of each, its
 * anchor. Where one stands, the rest is compared backwards, over what may stand between pieces.
 */
export class SecretFinder {
  readonly #forms: readonly SecretForm[];
  /** Of each form that is found anywhere, what is no gap, by its first bytes. */
  readonly #byHead = new Map<number, Uint8Array[]>();
  readonly #contiguous: readonly SecretForm[];
  readonly #byAnchor = new Map<number, SecretForm[]>();
  /** Whether an anchor may have such a hash: most places of most texts end here. */
  readonly #mayBe = new Uint8Array(0x10000);

  constructor(forms: readonly SecretForm[]) {
    this.#forms = forms;
    this.#contiguous = forms.filter(({ found }) => found !== 'anywhere');
    for (const form of forms.filter(({ found }) => found === 'anywhere')) {
      const solid = form.bytes.filter((byte) => !isGap(byte));
      const hash = solid.slice(-anchorLength).reduce(hashed, 0);
      this.#mayBe[hash >>> 16] = 1;
      this.#byAnchor.set(hash, [...(this.#byAnchor.get(hash) ?? []), form]);
      const head = solid.subarray(0, tellingLength).reduce((number, byte) => (number << 8) | byte, 0);
      this.#byHead.set(head, [...(this.#byHead.get(head) ?? []), solid]);
    }
  }

  /** The longest value, in bytes. */
  get longest(): number {
    return this.#forms.reduce(
      (most, { bytes, isPlain }) => (isPlain ? Math.max(most, bytes.length) : most),
      0,
    );
  }

  /** Where the values stand, in the order of their beginnings. What was split is several ranges. */
  find(source: TextLayer): Range[] {
    const found: Range[] = [];
    for (const layer of decodedLayers(source)) {
      this.#findScattered(layer, { found, left: mostCompared * (layer.bytes.length + this.longest) });
      for (const form of this.#contiguous) findContiguous(layer, form, found);
    }
    return merged(found);
  }

  /**
   * From where on the source may end with the beginning of a value, or within an escape; its end where it does not.
   * @param least so many bytes of a value have to be there; absent: one of a value as it is, or some of any form
   */
  begun(source: TextLayer, least?: number): number {
    let begun = source.to.at(-1) ?? 0;
    for (const { bytes: part, from, to } of decodedLayers(source, true)) {
      if (least === undefined) {
        begun = Math.min(begun, to.at(-1) ?? 0);
        for (const { bytes, isPlain } of this.#forms) {
          const length = isPlain ? begunLength(part, bytes, 1) : 0;
          if (length > 0) begun = Math.min(begun, from[part.length - length] ?? begun);
        }
      }
      const names = namesIn(part, true);
      for (const left of names === undefined ? [undefined] : [undefined, names]) {
        const places = solidPlaces(part, left);
        const bytes = new Uint8Array(places.length);
        for (let at = 0; at < bytes.length; at += 1) bytes[at] = part[places[at] ?? 0] ?? 0;
        for (const form of this.#begunIn(bytes)) {
          const length = begunLength(bytes, form, least ?? tellingLength);
          const place = length === 0 ? undefined : places[places.length - length];
          if (place !== undefined) begun = Math.min(begun, from[place] ?? begun);
        }
      }
    }
    return begun;
  }

  /** The forms whose first bytes stand somewhere in a text. */
  #begunIn(bytes: Uint8Array): Set<Uint8Array> {
    const begun = new Set<Uint8Array>();
    let head = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      head = (head << 8) | (bytes[at] ?? 0);
      for (const form of this.#byHead.get(head) ?? []) begun.add(form);
    }
    return begun;
  }

  /** Goes once over a layer without its gaps, and at the same time once without its names too. */
  #findScattered(layer: TextLayer, search: Search): void {
    const { bytes } = layer;
    const names = namesIn(bytes);
    let [hash, hashWithout] = [0, 0];
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (isGap(byte)) continue;
      hash = hashed(hash, byte);
      this.#findAt(layer, undefined, at, hash, search);
      if (names === undefined || names[at] === 1) continue;
      hashWithout = hashed(hashWithout, byte);
      this.#findAt(layer, names, at, hashWithout, search);
    }
  }

  #findAt(layer: TextLayer, names: Uint8Array | undefined, at: number, hash: number, search: Search): void {
    if (this.#mayBe[hash >>> 16] !== 1) return;
    for (const form of this.#byAnchor.get(hash) ?? []) findBackwards(layer, names, at, form, search);
  }
}

function hashed(hash: number, byte: number): number {
  return (hash << 4) ^ (bitsOf[byte] ?? 0);
}

/** Where in a text what is no gap stands, and is no name where these count as gaps. */
function solidPlaces(bytes: Uint8Array, names: Uint8Array | undefined): Int32Array {
  const places = new Int32Array(bytes.length);
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (isGap(bytes[at] ?? 0) || names?.[at] === 1) continue;
    places[count] = at;
    count += 1;
  }
  return places.subarray(0, count);
}

/**
 * Adds the places of a form that ends at a place of the layer, if it does. Where no more may be compared it adds the
 * anchor, whatever stands before it.
 */
function findBackwards(
  layer: TextLayer,
  names: Uint8Array | undefined,
  end: number,
  form: SecretForm,
  search: Search,
): void {
  const { bytes } = layer;
  const matched: number[] = [];
  let gap = 0;
  for (let at = end, left = form.bytes.length - 1; left >= 0; at -= 1) {
    const [byte, wanted] = [bytes[at], form.bytes[left]];
    if (byte === undefined || gap > longestGap) return;
    if (names?.[at] !== 1 && (byte === wanted || (isWhite(byte) && isWhite(wanted)))) {
      matched.push(at);
      left -= 1;
      gap = 0;
    } else if (isGap(byte) || names?.[at] === 1) gap += 1;
    else return;
    search.left -= 1;
    // guard: it compares so much and no more
    if (search.left < 0 && matched.length >= anchorLength) break;
  }
  matched.reverse();
  addBeside(bytes, matched, form);
  addRanges(layer, matched, search.found);
}

/** What stands beside a form and belongs to it. */
function addBeside(bytes: Uint8Array, matched: number[], { edges, rims }: SecretForm): void {
  const [first = 0, last = 0] = [matched[0], matched.at(-1)];
  if (edges.before && isDigit(bytes[first - 1])) matched.unshift(first - 1);
  if (edges.after && isDigit(bytes[last + 1])) matched.push(last + 1);
  const { before, after } = rims ?? {};
  for (let at = 1; before !== undefined && at <= before.length; at += 1) {
    if (bytes[first - at] !== before.at(-at)) break;
    matched.unshift(first - at);
  }
  for (let at = 0; after !== undefined && at < after.length; at += 1) {
    if (bytes[last + 1 + at] !== after[at]) break;
    matched.push(last + 1 + at);
  }
}

/** Whether it may be a digit of base64. */
function isDigit(byte: number | undefined): boolean {
  return byte === 0x2b || byte === 0x2f || (isWordByte(byte) && (byte ?? 0) < 0x80);
}

function isWhite(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 9 && byte <= 13);
}

function findContiguous(layer: TextLayer, { bytes, found: how }: SecretForm, found: Range[]): void {
  const text = layer.bytes;
  const [first] = bytes;
  if (first === undefined) return;
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    let same = 1;
    while (same < bytes.length && text[at + same] === bytes[same]) same += 1;
    if (same < bytes.length) continue;
    const isPart = isWordByte(text[at - 1]) || isWordByte(text[at + bytes.length]);
    if (how === 'word' && isPart) continue;
    addRanges(
      layer,
      Array.from(bytes, (_, place) => at + place),
      found,
    );
  }
}

/** Places of a layer as ranges of the source; white space between two of them goes with them. */
function addRanges({ bytes, from, to }: TextLayer, places: readonly number[], found: Range[]): void {
  let range: Range | undefined;
  let before = -1;
  for (const place of places) {
    const [start, end] = [from[place] ?? 0, to[place] ?? 0];
    const isBeside = range !== undefined && bytes.subarray(before + 1, place).every(isWhite);
    if (range !== undefined && isBeside) range.end = end;
    else found.push((range = { start, end }));
    before = place;
  }
}

/** How many of the last bytes are the beginning of a form, and not yet all of it; 0 where it is fewer than `least`. */
function begunLength(text: Uint8Array, form: Uint8Array, least: number): number {
  const last = text[text.length - 1];
  for (let length = Math.min(form.length - 1, text.length); length >= least; length -= 1) {
    if (form[length - 1] !== last) continue;
    let at = length - 1;
    while (at >= 0 && form[at] === text[text.length - length + at]) at -= 1;
    if (at < 0) return length;
  }
  return 0;
}

/** Those that overlap are one; those that touch are two values, one after the other. */
function merged(found: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  for (const { start, end } of [...found].sort((a, b) => a.start - b.start)) {
    const last = ranges.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}
