import { Scratch } from './scratch.ts';
import { startOf, type TextLayer, utf8 } from './textLayer.ts';

/** The most times that a text is decoded. Anyone who encodes it more often does not want it to be read. */
const mostDecodings = 4;

/** Escapes for a character (two, if it has two UTF-16 units), for a byte, or for a JSON escape character. */
const escapes =
  /([%\\])u(d[89ab][\da-f]{2})\1u(d[c-f][\da-f]{2})|[%\\]u([\da-f]{4})|(?:%|\\x)([\da-f]{2})|\\([^])/gi;

/** An incomplete escape at the end of a text. The first half of a character is incomplete without the second. */
const begunEscape =
  /(?:[%\\]ud[89ab][\da-f]{2})?(?:%(?:u[\da-f]{0,3}|[\da-f])?|(?<!\\)\\(?:u[\da-f]{0,3}|x[\da-f]?)?)?$/i;
const longestEscapes = 12;

const controls: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' };

/**
 * The layer and its decodings: percent-encoding and JSON escapes are decoded once, twice, and so on, until nothing is
 * left to decode or `mostDecodings` is reached.
 * @param goesOn whether the text is incomplete: then an incomplete escape at its end is left out
 * @param scratch holds the positions of the layers until it is used again
 */
export function decodedLayers(first: TextLayer, goesOn = false, scratch = new Scratch()): TextLayer[] {
  const whole = (layer: TextLayer) => (goesOn ? startOf(layer, wholeLength(layer)) : layer);
  let last = whole(first);
  const all = [last];
  while (all.length <= mostDecodings) {
    const next = decoded(last, scratch, all.length);
    if (next === undefined) break;
    last = whole(next);
    all.push(last);
  }
  return all;
}

function wholeLength({ bytes }: TextLayer): number {
  const [begun = ''] = begunEscape.exec(bytes.slice(-longestEscapes)) ?? [];
  return bytes.length - begun.length;
}

/** The layer, decoded once; undefined if nothing in it is encoded. */
function decoded({ bytes, from, to }: TextLayer, scratch: Scratch, depth: number): TextLayer | undefined {
  const parts: string[] = [];
  // No escape is shorter than what it stands for.
  const { length: most } = bytes;
  const next = { from: scratch.places(most, 2 * depth), to: scratch.places(most, 2 * depth + 1) };
  let [read, length] = [0, 0];
  const copyUpTo = (end: number) => {
    parts.push(bytes.slice(read, end));
    next.from.set(from.subarray(read, end), length);
    next.to.set(to.subarray(read, end), length);
    length += end - read;
  };
  for (const escape of bytes.matchAll(escapes)) {
    copyUpTo(escape.index);
    read = escape.index + escape[0].length;
    const meant = meaning(escape);
    parts.push(meant);
    next.from.fill(from[escape.index] ?? 0, length, length + meant.length);
    next.to.fill(to[read - 1] ?? 0, length, length + meant.length);
    length += meant.length;
  }
  if (read === 0) return undefined;
  copyUpTo(bytes.length);
  return startOf({ bytes: parts.join(''), ...next }, length);
}

function meaning([, , high, low, unit, byte, sign = '']: RegExpExecArray): string {
  if (byte !== undefined) return String.fromCharCode(parseInt(byte, 16));
  const units = [high, low, unit].filter((hex) => hex !== undefined).map((hex) => parseInt(hex, 16));
  return units.length > 0 ? utf8(String.fromCharCode(...units)) : (controls[sign] ?? sign);
}
