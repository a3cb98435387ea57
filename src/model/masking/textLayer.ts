/**
 * A text as bytes, and where each of them stands in its source: byte `n` is what the source says from `from[n]` up to
 * `to[n]`.
 */
export interface TextLayer {
  bytes: Uint8Array;
  from: Int32Array;
  to: Int32Array;
}

/** The UTF-8 of a text, by the places of its UTF-16 units. */
export function layerOfText(text: string): TextLayer {
  const growing = new GrowingLayer(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      growing.byte(unit, at, at + 1);
      continue;
    }
    const code = text.codePointAt(at) ?? unit;
    const isPair = code > 0xffff;
    growing.character(code, at, at + (isPair ? 2 : 1));
    if (isPair) at += 1;
  }
  return growing.layer();
}

/** Bytes as they come. */
export function layerOfBytes(bytes: Uint8Array): TextLayer {
  const [from, to] = [new Int32Array(bytes.length), new Int32Array(bytes.length)];
  for (let at = 0; at < bytes.length; at += 1) {
    from[at] = at;
    to[at] = at + 1;
  }
  return { bytes, from, to };
}

/** The layer without what stands from a byte on. */
export function startOf({ bytes, from, to }: TextLayer, end: number): TextLayer {
  return { bytes: bytes.subarray(0, end), from: from.subarray(0, end), to: to.subarray(0, end) };
}

/** A layer that is written byte by byte. */
export class GrowingLayer {
  #layer: TextLayer;
  #length = 0;

  /** @param size in bytes, as far as it is known */
  constructor(size: number) {
    this.#layer = emptyLayer(size);
  }

  byte(byte: number, from: number, to: number): void {
    if (this.#length === this.#layer.bytes.length) this.#grow();
    const layer = this.#layer;
    const at = this.#length;
    layer.bytes[at] = byte;
    layer.from[at] = from;
    layer.to[at] = to;
    this.#length = at + 1;
  }

  /** The UTF-8 of a character, by its code; half a character has such bytes too. */
  character(code: number, from: number, to: number): void {
    if (code < 0x80) {
      this.byte(code, from, to);
      return;
    }
    const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const mark = [0, 0xc0, 0xe0, 0xf0][more] ?? 0;
    this.byte(mark | (code >> (6 * more)), from, to);
    for (let left = more - 1; left >= 0; left -= 1) this.byte(0x80 | ((code >> (6 * left)) & 0x3f), from, to);
  }

  layer(): TextLayer {
    return startOf(this.#layer, this.#length);
  }

  #grow(): void {
    const { bytes, from, to } = this.#layer;
    this.#layer = emptyLayer(2 * bytes.length + 16);
    this.#layer.bytes.set(bytes);
    this.#layer.from.set(from);
    this.#layer.to.set(to);
  }
}

function emptyLayer(size: number): TextLayer {
  return { bytes: new Uint8Array(size), from: new Int32Array(size), to: new Int32Array(size) };
}
