/** The longest name that may stand between two pieces, in bytes. */
const longestName = 64;

const separators = '"\',:;&=?{}[]()<>|`\\\u007f';
const gaps = tableOf((character) => character <= ' ' || separators.includes(character));
const beforeNames = tableOf((character) => '&;,?{(\n\0'.includes(character));
const aroundNames = tableOf((character) => ' \t\r\n"\'\\'.includes(character));
const inNames = tableOf((character) => /[\w.[\]-]/.test(character));
const inWords = tableOf((character) => /[\w-]/.test(character) || character > '\u007f');

/** Whether a byte may stand between the pieces of something that was split: white space, quotes, separators. */
export function isGap(byte: number): boolean {
  return gaps[byte] === 1;
}

/** Letters, digits, `_` and `-`. What is no ASCII counts as a letter. */
export function isWordByte(byte: number | undefined): boolean {
  return byte !== undefined && inWords[byte] === 1;
}

/**
 * Marks the names in a text, such as that in `&name=` or `", "name": "`. What is split over the values of a query, of
 * JSON or of header lines has them between its pieces. Undefined where there is none.
 * @param goesOn what the text ends with may become a name
 */
export function namesIn(bytes: Uint8Array, goesOn = false): Uint8Array | undefined {
  let marks: Uint8Array | undefined;
  for (let at = 0; at < bytes.length; at += 1) {
    if (beforeNames[bytes[at] ?? 0] !== 1) continue;
    const begin = skip(bytes, at + 1, 8, aroundNames);
    const end = skip(bytes, begin, longestName, inNames);
    const after = skip(bytes, end, 4, aroundNames);
    const isName = bytes[after] === 0x3a || bytes[after] === 0x3d || (goesOn && after === bytes.length);
    if (!isName || end === begin) continue;
    marks ??= new Uint8Array(bytes.length);
    for (let place = begin; place < end; place += 1) marks[place] = 1;
  }
  return marks;
}

function skip(bytes: Uint8Array, at: number, most: number, fitting: Uint8Array): number {
  const end = Math.min(bytes.length, at + most);
  let next = at;
  while (next < end && fitting[bytes[next] ?? 0] === 1) next += 1;
  return next;
}

/** Which bytes fit, by their values: 1 for those that do. */
function tableOf(fits: (character: string) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (fits(String.fromCharCode(byte)) ? 1 : 0));
}
