import { decodedLayers } from './decodedLayers.ts';
import { isGap } from './pieceGaps.ts';
import { layerOfText } from './textLayer.ts';

/** One way in which a token or secret may be written. */
export interface SecretForm {
  bytes: Uint8Array;
  /**
   * - `anywhere`: within longer words too, and split.
   * - `whole`: in one piece, and `word` besides as a word by itself: it is so short that it stands in others by chance.
   */
  found: 'anywhere' | 'whole' | 'word';
  /** It is the value itself, not an encoding of it. */
  isPlain: boolean;
  /** The characters before it or after it hold some bits of it as well. */
  edges: Edges;
  /** What else stands before and after it, where it has not got lost. */
  rims?: { before: Uint8Array; after: Uint8Array };
}

interface Edges {
  before: boolean;
  after: boolean;
}

const noEdges: Edges = { before: false, after: false };

/** What is found anywhere is so long without what may stand between pieces, in bytes. */
export const anchorLength = 8;

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
  if (utf8(bare).length < shortest) return [];
  const plain = plainForms(bare).flatMap((bytes) => plainForm(bytes));
  const [bytes] = plainForms(bare);
  if (bytes === undefined) return plain;
  const encoded = [hex(bytes), hex(bytes).toUpperCase()].map((text) => ({ text, edges: noEdges }));
  for (const text of new Set([bare, JSON.stringify(bare).slice(1, -1), percentEncoded(bare)])) {
    const once = base64Cores(utf8(text));
    encoded.push(...once, ...once.flatMap((core) => base64Cores(utf8(core.text))));
  }
  const isShort = plain.some(({ found }) => found !== 'anywhere');
  const whole = (isShort ? alphabets(base64(bytes)) : []).map((text) => ({ text, edges: noEdges }));
  // guard: percent-encoded, escaped, in base64 or hexadecimal, split
  return distinct([
    ...plain,
    ...encoded.flatMap((one) => encodedForm(one, 'anywhere')),
    ...whole.flatMap((one) => encodedForm(one, 'word')),
  ]);
}

/** The value, and what it is where something decoded it once more or passed it on by other rules. */
function plainForms(value: string): Uint8Array[] {
  const bytes = utf8(value);
  const latin1 = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const others = [
    ...decodedLayers(layerOfText(value)).map((layer) => layer.bytes),
    utf8(value.replaceAll(' ', '+')),
    ...(value.length >= lowerFrom ? [utf8(value.toLowerCase())] : []),
    utf8(latin1),
    ...(/^[\0-\xff]*$/.test(value) ? [Uint8Array.from(value, (one) => one.charCodeAt(0))] : []),
  ];
  return [bytes, ...others];
}

function plainForm(bytes: Uint8Array): SecretForm[] {
  const common = { isPlain: true, edges: noEdges };
  const { core, ...rims } = withoutGaps(bytes);
  if (solid(core) >= anchorLength) return [{ bytes: core, found: 'anywhere', ...common, rims }];
  if (bytes.length < shortest) return [];
  return [{ bytes, found: bytes.length >= anchorLength ? 'whole' : 'word', ...common }];
}

function encodedForm({ text, edges }: Encoded, found: 'anywhere' | 'word'): SecretForm[] {
  const bytes = utf8(text);
  const least = found === 'anywhere' ? anchorLength : shortest;
  return solid(bytes) >= least ? [{ bytes, found, isPlain: false, edges }] : [];
}

function distinct(forms: readonly SecretForm[]): SecretForm[] {
  const seen = new Set<string>();
  return forms.filter(({ bytes, found }) => {
    const key = `${found} ${hex(bytes)}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Apart from what may stand between pieces at its beginning and end: that tells nothing, and gets lost. */
function withoutGaps(bytes: Uint8Array): { before: Uint8Array; core: Uint8Array; after: Uint8Array } {
  const end = bytes.findLastIndex((byte) => !isGap(byte)) + 1;
  const start = Math.max(
    0,
    bytes.findIndex((byte) => !isGap(byte)),
  );
  return { before: bytes.subarray(0, start), core: bytes.subarray(start, end), after: bytes.subarray(end) };
}

function solid(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => count + (isGap(byte) ? 0 : 1), 0);
}

interface Encoded {
  text: string;
  edges: Edges;
}

/** The base64 digits that depend on these bytes alone, where none, one or two bytes of something else stand before them. */
function base64Cores(bytes: Uint8Array): Encoded[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const digits = base64(padded).slice(Math.ceil((8 * before) / 6), Math.floor((8 * padded.length) / 6));
    const edges = { before: before > 0, after: padded.length % 3 > 0 };
    return alphabets(digits).map((text) => ({ text, edges }));
  });
}

function alphabets(digits: string): string[] {
  return [...new Set([digits, digits.replaceAll('+', '-').replaceAll('/', '_')])];
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('=', '');
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
