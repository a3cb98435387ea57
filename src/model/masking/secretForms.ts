import { decodedLayers } from './decodedLayers.ts';
import { isGap } from './pieceGaps.ts';
import { layerOfText, utf8 } from './textLayer.ts';

/** One way in which a token or secret may be written. */
export interface SecretForm {
  /** One character per byte. If found `anywhere`, without the gap characters at either end. */
  bytes: string;
  /** The gap characters removed from the start and the end. They are masked too if they are present. */
  before: string;
  after: string;
  /**
   * - `anywhere`: also within longer words, and split.
   * - `whole`: in one piece.
   * - `word`: in one piece, and as a word by itself, because it is so short that it occurs in others by chance.
   */
  found: 'anywhere' | 'whole' | 'word';
  /** Whether it is the value itself. Next to an encoding of it, the adjacent digits may hold bits of it as well. */
  isPlain: boolean;
}

/** The shortest form that is found anywhere, in bytes without gap characters. */
const shortestAnywhere = 8;

/** Shorter values, in bytes, are not masked: anyone with one signed delivery can find such a secret by trying all. */
const shortest = 4;

const lowerFrom = 16;

/**
 * The forms of a token or secret: as it is, in lower case as in header names, and as servers read header values (one
 * character per UTF-8 byte); base64, in the standard and the URL alphabet, at each of the three alignments within a
 * longer text, and base64 of that; hexadecimal. Percent-encoded and escaped text is decoded before the search, so
 * that it needs no form.
 */
export function formsOf(value: string): SecretForm[] {
  const bare = value.trim();
  const bytes = utf8(bare);
  if (bytes.length < shortest) return [];
  const plain = plainTexts(bare).flatMap(plainForm);
  const inJson = utf8(JSON.stringify(bare).slice(1, -1));
  const texts = [...new Set([bytes, inJson, encodeURIComponent(bare.toWellFormed())])];
  const base64 = texts.flatMap(base64Cores);
  const encoded = [hex(bytes), hex(bytes).toUpperCase(), ...base64, ...base64.flatMap(base64Cores)];
  const isShort = plain.some(({ found }) => found !== 'anywhere');
  // guard: percent-encoded, escaped, in base64 or hexadecimal, split
  return [
    ...plain,
    ...encodedForms(encoded, 'anywhere', shortestAnywhere),
    ...(isShort ? encodedForms(alphabets(btoa(bytes).replaceAll('=', '')), 'word', shortest) : []),
  ];
}

/** The value, and what it becomes if something decodes it once more or passes it on by other rules. */
function plainTexts(value: string): string[] {
  const bytes = utf8(value);
  const others = [
    ...decodedLayers(layerOfText(value)).map((layer) => layer.bytes),
    utf8(value.replaceAll(' ', '+')),
    // Printed on lines of their own, its words have other gaps between them.
    Array.from(bytes)
      .filter((byte) => !isGap(byte.charCodeAt(0)))
      .join(''),
    ...(value.length >= lowerFrom ? [utf8(value.toLowerCase())] : []),
    utf8(bytes),
    ...(/^[\0-\xff]*$/.test(value) ? [value] : []),
  ];
  return [...new Set([bytes, ...others])];
}

function plainForm(bytes: string): SecretForm[] {
  const common = { bytes, before: '', after: '', isPlain: true };
  const isSolid = Array.from(bytes, (one) => !isGap(one.charCodeAt(0)));
  if (isSolid.filter(Boolean).length >= shortestAnywhere) {
    const [start, end] = [isSolid.indexOf(true), isSolid.lastIndexOf(true) + 1];
    const rims = { before: bytes.slice(0, start), after: bytes.slice(end) };
    return [{ ...common, ...rims, bytes: bytes.slice(start, end), found: 'anywhere' }];
  }
  if (bytes.length < shortest) return [];
  return [{ ...common, found: bytes.length >= shortestAnywhere ? 'whole' : 'word' }];
}

function encodedForms(texts: readonly string[], found: 'anywhere' | 'word', least: number): SecretForm[] {
  const long = [...new Set(texts)].filter(({ length }) => length >= least);
  return long.map((bytes) => ({ bytes, before: '', after: '', found, isPlain: false }));
}

/** The base64 digits that depend only on these bytes, with zero, one or two other bytes in front. */
function base64Cores(bytes: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = '\0'.repeat(before) + bytes;
    const digits = btoa(padded).slice(Math.ceil((8 * before) / 6), Math.floor((8 * padded.length) / 6));
    return alphabets(digits);
  });
}

function alphabets(digits: string): string[] {
  return [digits, digits.replaceAll('+', '-').replaceAll('/', '_')];
}

function hex(bytes: string): string {
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}
