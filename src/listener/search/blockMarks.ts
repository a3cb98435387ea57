import { eachSlot, slotCount } from './trigrams.ts';

/** How many deliveries share a block. */
export const perBlock = 1000;
/** Each slot has a bit for each delivery of the block. */
export const slotBytes = perBlock / 8;
/** How many slots go into one row of the table; a row of this size fills a page of the file. */
const slotsPerPart = 32;
/** How many rows a block takes. */
export const partCount = slotCount / slotsPerPart;
const partBytes = slotsPerPart * slotBytes;

/** Where the bits of a slot are: the part (row) of the block, and the byte offset in it. */
export function placeOf(slot: number): { part: number; offset: number } {
  return { part: Math.floor(slot / slotsPerPart), offset: (slot % slotsPerPart) * slotBytes };
}

/** Records which deliveries of a block contain which trigrams. */
export class BlockMarks {
  readonly #bits = new Uint8Array(slotCount * slotBytes);

  /** @param position the delivery's position in its block */
  mark(position: number, text: string): void {
    const byte = position >> 3;
    const bit = 1 << (position & 7);
    const bits = this.#bits;
    eachSlot(text, (slot) => {
      const at = slot * slotBytes + byte;
      bits[at] = (bits[at] ?? 0) | bit;
    });
  }

  /** Makes the delivery a candidate for every search: its text is too long to be indexed. */
  markAll(position: number): void {
    for (let at = position >> 3; at < this.#bits.length; at += slotBytes) {
      this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (position & 7));
    }
  }

  part(number: number): Uint8Array {
    return this.#bits.subarray(number * partBytes, (number + 1) * partBytes);
  }
}

/** The positions whose bits are set. */
export function* positionsOf(bits: Uint8Array): Generator<number> {
  for (const [at, byte] of bits.entries()) {
    for (let bit = 0; byte >> bit > 0; bit += 1) {
      if ((byte >> bit) & 1) yield at * 8 + bit;
    }
  }
}
