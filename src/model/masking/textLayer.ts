/**
 * A text as bytes, in a string with one character per byte, and their positions in the source: byte `n` is at
 * `from[n]` up to `to[n]` there.
 */
export interface TextLayer {
  bytes: string;
  from: Int32Array;
  to: Int32Array;
}

/** Decodes plain ASCII, which is the same in UTF-8. */
const ascii = new TextDecoder();

/** How many bytes are passed as the arguments of one call. */
const chunk = 8192;

/** The UTF-8 of a text. Positions are in UTF-16 units. */
export function layerOfText(text: string): TextLayer {
  const bytes = utf8(text);
  const layer = { bytes, from: new Int32Array(bytes.length), to: new Int32Array(bytes.length) };
  let start = 0;
  let end = 0;
  for (let at = 0; at < layer.bytes.length; at += 1) {
    const byte = layer.bytes.charCodeAt(at);
    if ((byte & 0xc0) !== 0x80) {
      // The first byte of a character: one of four bytes has two units.
      start = end;
      end += byte < 0xf0 ? 1 : 2;
    }
    layer.from[at] = start;
    layer.to[at] = end;
  }
  return layer;
}

/** 0, 1, 2 …: the positions of a source that is bytes already. Kept for reuse, up to `longestCounted`. */
let counted = new Int32Array(0);
const longestCounted = 256 * 1024;

/** The layer of raw bytes. Its positions are shared, so nobody may write to them. */
export function layerOfBytes(bytes: string): TextLayer {
  const places = countedTo(bytes.length);
  return { bytes, from: places.subarray(0, bytes.length), to: places.subarray(1, bytes.length + 1) };
}

function countedTo(most: number): Int32Array {
  if (most < counted.length) return counted;
  const places = new Int32Array(most < longestCounted ? longestCounted : most + 1);
  for (let at = 0; at < places.length; at += 1) places[at] = at;
  if (most < longestCounted) counted = places;
  return places;
}

/** The layer up to the byte `end`. */
export function startOf({ bytes, from, to }: TextLayer, end: number): TextLayer {
  return { bytes: bytes.slice(0, end), from: from.subarray(0, end), to: to.subarray(0, end) };
}

/** The UTF-8 of a text, a character for each byte. */
export function utf8(text: string): string {
  return byteString(new TextEncoder().encode(text));
}

/** A string with one character per byte. */
export function byteString(bytes: Uint8Array): string {
  // The common case. A call with thousands of arguments would take eight times the memory.
  if (bytes.every((byte) => byte < 0x80)) return ascii.decode(bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk) {
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + chunk)) as string;
  }
  return text;
}

/** The bytes of such a string. */
export function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
