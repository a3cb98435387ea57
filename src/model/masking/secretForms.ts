import { decodedLayers } from './decodedLayers.ts';
import { isGap } from './pieceGaps.ts';
import { layerOfText, utf8 } from './textLayer.ts';

/** One way in which a token or secret may be written. */
export interface SecretForm {
  /** A character for each byte; of what is found anywhere, without what may stand between pieces around it. */
  bytes: string;
  /** That: it is masked where it has not got lost. */
  before: string;
  after: string;
  /**
   * - `anywhere`: within longer words too, and split.
   * - `whole`: in one piece, and `word` besides as a word by itself: it is so short that it stands in others by chance.
   */
  found: 'anywhere' | 'whole' | 'word';
  /** It is the value itself. An encoding of it may have bits of it in the digits beside it as well. */
  isPlain: boolean;
}

/** What is found anywhere is so long without what may stand between pieces, in bytes. */
const shortestAnywhere = 8;

/** Shorter values, in bytes, stay: whoever has one signed delivery finds such a secret by trying them all. */
const shortest = 4;

const lowerFrom = 16;

/**
 * The forms of a token or secret: as it is, as header names have it (in lower case) and as servers read header values
 * (each byte of its UTF-8 a character); base64, of the common and of the URL's alphabet, at each of the three places
 * that a longer text may have it, and base64 of that; hexadecimal. What is percent-encoded or escaped is decoded where
 * it is looked for, so that it needs no form.
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

/** The value, and what it is where something decoded it once more or passed it on by other rules. */
function plainTexts(value: string): string[] {
  const bytes = utf8(value);
  const others = [
    ...decodedLayers(layerOfText(value)).map((layer) => layer.bytes),
    utf8(value.replaceAll(' ', '+')),
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

/** The base64 digits that depend on these bytes alone, where none, one or two bytes of something else stand before them. */
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
