/** Longer buffers are not kept for reuse. */
const longestKept = 256 * 1024;

/**
 * Reusable buffers. A streaming body is searched piece by piece, and new buffers for each piece would pile up before
 * they are garbage collected. A buffer must no longer be in use when the same one is taken again.
 */
export class Scratch {
  #bytes = new Uint8Array(0);
  #places = new Map<number, Int32Array>();

  /** A buffer of `length` zeros. */
  zeros(length: number): Uint8Array {
    if (length > longestKept) return new Uint8Array(length);
    if (this.#bytes.length < length) this.#bytes = new Uint8Array(2 * length);
    return this.#bytes.subarray(0, length).fill(0);
  }

  /** A buffer for `length` positions, with arbitrary content. @param use different uses get different buffers */
  places(length: number, use: number): Int32Array {
    if (length > longestKept) return new Int32Array(length);
    const kept = this.#places.get(use);
    if (kept !== undefined && kept.length >= length) return kept.subarray(0, length);
    const made = new Int32Array(2 * length);
    this.#places.set(use, made);
    return made.subarray(0, length);
  }
}
