import type { Scratch } from './scratch.ts';

/** What may stand between the pieces of something that was split: white space, quotes, separators. */
const gapCharacters = /[\0-\x20"',:;&=?{}[\]()<>|`\\\x7f]/;

/** Which bytes are gaps, by their values. */
const gaps = Array.from({ length: 256 }, (_, byte) => gapCharacters.test(String.fromCharCode(byte)));

/**
 * A name before a colon or an equals sign, such as that in `&name=` or `", "name": "`: what is split over the values of
 * a query, of JSON or of header lines has them between its pieces.
 */
const name = /(?<=[&;,?{(\n\0][ \t\r\n"'\\]{0,8})[\w.[\]-]{1,64}(?=[ \t\r\n"'\\]{0,4}([:=]|$))/g;

export function isGap(byte: number): boolean {
  return gaps[byte] === true;
}

/**
 * Marks the names in a text. Undefined where there is none.
 * @param goesOn what the text ends with may become a name
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
