/** Longer ones are not kept for the next time. */
const longestKept = 256 * 1024;

/**
 * Memory that is used again: a body that streams is looked at piece by piece, and what each of them took anew would pile up
 * before it is collected. What was taken before must not be in use any more.
 */
export class Scratch {
  #bytes = new Uint8Array(0);
  #places = new Map<number, Int32Array>();

  /** So many zeros. */
  zeros(length: number): Uint8Array {
    if (length > longestKept) return new Uint8Array(length);
    if (this.#bytes.length < length) this.#bytes = new Uint8Array(2 * length);
    return this.#bytes.subarray(0, length).fill(0);
  }

  /** Room for so many places, with anything in it. @param use those of different uses are different */
  places(length: number, use: number): Int32Array {
    if (length > longestKept) return new Int32Array(length);
    const kept = this.#places.get(use);
    if (kept !== undefined && kept.length >= length) return kept.subarray(0, length);
    const made = new Int32Array(2 * length);
    this.#places.set(use, made);
    return made.subarray(0, length);
  }
}
