import type { Scratch } from './scratch.ts';

/** Characters that may stand between the pieces of a split value: white space, quotes, separators. */
const gapCharacters = /[\0-\x20"',:;&=?{}[\]()<>|`\\\x7f]/;

/** Whether a byte is a gap, indexed by the byte's value. */
const gaps = Array.from({ length: 256 }, (_, byte) => gapCharacters.test(String.fromCharCode(byte)));

/**
 * A name before a colon or an equals sign, as in `&name=` or `", "name": "`. A value that is split over a query, JSON
 * or header lines has such names between its pieces.
 */
const name = /(?<=[&;,?{(\n\0][ \t\r\n"'\\]{0,8})[\w.[\]-]{1,64}(?=[ \t\r\n"'\\]{0,4}([:=]|$))/g;

export function isGap(byte: number): boolean {
  return gaps[byte] === true;
}

/**
 * Marks the names in a text. Undefined if there are none.
 * @param goesOn whether the text is incomplete, so that its end may become a name
 */
export function namesIn(bytes: string, goesOn: boolean, scratch: Scratch): Uint8Array | undefined {
  let marks: Uint8Array | undefined;
  for (const { 0: found, 1: end, index } of bytes.matchAll(name)) {
    if (end === '' && !goesOn) continue;
    marks ??= scratch.zeros(bytes.length);
    marks.fill(1, index, index + found.length);
  }
  return marks;
}
