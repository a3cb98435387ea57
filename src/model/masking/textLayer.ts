/**
 * A text as bytes, in a string with one character for each of them, and where they stand in its source: byte `n` is
 * what the source says from `from[n]` up to `to[n]`.
 */
export interface TextLayer {
  bytes: string;
  from: Int32Array;
  to: Int32Array;
}

/** So many bytes are one call's arguments. */
const chunk = 8192;

/** The UTF-8 of a text, by the places of its UTF-16 units. */
export function layerOfText(text: string): TextLayer {
  const layer = layerOfBytes(utf8(text));
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

/** Bytes as they come. */
export function layerOfBytes(bytes: string): TextLayer {
  const layer = { bytes, from: new Int32Array(bytes.length), to: new Int32Array(bytes.length) };
  for (let at = 0; at < bytes.length; at += 1) {
    layer.from[at] = at;
    layer.to[at] = at + 1;
  }
  return layer;
}

/** The layer without what stands from a byte on. */
export function startOf({ bytes, from, to }: TextLayer, end: number): TextLayer {
  return { bytes: bytes.slice(0, end), from: from.subarray(0, end), to: to.subarray(0, end) };
}

/** The UTF-8 of a text, a character for each byte. */
export function utf8(text: string): string {
  return byteString(new TextEncoder().encode(text));
}

/** A character for each byte. */
export function byteString(bytes: Uint8Array): string {
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
