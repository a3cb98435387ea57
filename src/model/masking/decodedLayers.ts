import { GrowingLayer, startOf, type TextLayer } from './textLayer.ts';

/** Whoever encodes more often does not want to be read. */
const mostDecodings = 4;

const [percent, backslash, u, x] = [0x25, 0x5c, 0x75, 0x78];
const controls: Readonly<Record<number, number>> = { 0x62: 8, 0x74: 9, 0x6e: 10, 0x66: 12, 0x72: 13 };

/** What an escape stands for: a byte, or a character by its code. */
interface Escape {
  code: number;
  isByte: boolean;
  length: number;
}

/**
 * The layer, and all that it may be read as: with what is percent-encoded, or escaped as in JSON, decoded once,
 * twice, …, until nothing is left to decode.
 * @param goesOn the text is not whole: an escape at its end that is not whole either is left out
 */
export function decodedLayers(first: TextLayer, goesOn = false): TextLayer[] {
  const whole = (layer: TextLayer) => (goesOn ? startOf(layer, wholeLength(layer)) : layer);
  let last = whole(first);
  const all = [last];
  while (all.length <= mostDecodings) {
    const next = decoded(last);
    if (next === undefined) break;
    last = whole(next);
    all.push(last);
  }
  return all;
}

/** Where a layer ends with an escape that is not whole yet; its length where it does not. */
function wholeLength({ bytes }: TextLayer): number {
  const end = escapeStart(bytes);
  // The first half of a character waits for the second.
  const unit = bytes[end - 6] !== undefined && bytes[end - 5] === u ? hexAt(bytes, end - 4, 4) : undefined;
  return unit !== undefined && unit >= 0xd800 && unit < 0xdc00 ? end - 6 : end;
}

function escapeStart(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 6); at -= 1) {
    const [byte, kind] = [bytes[at], bytes[at + 1]];
    const isEscaped = byte === backslash && bytes[at - 1] === backslash;
    if ((byte !== percent && byte !== backslash) || isEscaped) continue;
    const needed = kind === u ? 6 : byte === percent ? 3 : kind === x ? 4 : 2;
    return bytes.length - at < needed ? at : bytes.length;
  }
  return bytes.length;
}

/** The same layer with one encoding less; undefined where nothing in it is encoded. */
function decoded({ bytes, from, to }: TextLayer): TextLayer | undefined {
  if (!bytes.includes(percent) && !bytes.includes(backslash)) return undefined;
  const growing = new GrowingLayer(bytes.length);
  let isSame = true;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const escape = byte === percent || byte === backslash ? escapeAt(bytes, at) : undefined;
    const start = from[at] ?? 0;
    if (escape === undefined) {
      growing.byte(byte, start, to[at] ?? 0);
      continue;
    }
    isSame = false;
    at += escape.length - 1;
    if (escape.isByte) growing.byte(escape.code, start, to[at] ?? 0);
    else growing.character(escape.code, start, to[at] ?? 0);
  }
  return isSame ? undefined : growing.layer();
}

function escapeAt(bytes: Uint8Array, at: number): Escape | undefined {
  const [first, kind] = [bytes[at], bytes[at + 1]];
  if (kind === undefined) return undefined;
  const unit = kind === u ? hexAt(bytes, at + 2, 4) : undefined;
  if (unit !== undefined) return unitAt(bytes, at, unit);
  if (first === percent || kind === x) {
    const before = first === percent ? 1 : 2;
    const code = hexAt(bytes, at + before, 2);
    return code === undefined ? undefined : { code, isByte: true, length: before + 2 };
  }
  return { code: controls[kind] ?? kind, isByte: true, length: 2 };
}

/** One UTF-16 unit, or two that are one character: the escape of the second follows. */
function unitAt(bytes: Uint8Array, at: number, unit: number): Escape {
  const isHigh = unit >= 0xd800 && unit < 0xdc00 && bytes[at + 6] === bytes[at] && bytes[at + 7] === u;
  const low = isHigh ? hexAt(bytes, at + 8, 4) : undefined;
  if (low === undefined || low < 0xdc00 || low > 0xdfff) return { code: unit, isByte: false, length: 6 };
  return { code: 0x10000 + (((unit - 0xd800) << 10) | (low - 0xdc00)), isByte: false, length: 12 };
}

function hexAt(bytes: Uint8Array, at: number, digits: number): number | undefined {
  let value = 0;
  for (let place = at; place < at + digits; place += 1) {
    const digit = Number.parseInt(String.fromCharCode(bytes[place] ?? 0), 16);
    if (Number.isNaN(digit)) return undefined;
    value = value * 16 + digit;
  }
  return value;
}
