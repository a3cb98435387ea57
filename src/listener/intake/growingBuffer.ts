/** The smallest allocation, in bytes. */
const leastBytes = 1024;

/**
 * Copies incoming pieces into one buffer, so that the pieces' underlying buffers are not retained and a thousand
 * pieces are one object. Its capacity is at most twice what has arrived, or `leastBytes`.
 */
export class GrowingBuffer {
  readonly #most: number;
  #bytes = new Uint8Array(0);
  #length = 0;

  /** @param most the maximum number of bytes that will arrive */
  constructor(most: number) {
    this.#most = most;
  }

  /** The allocated memory, in bytes. */
  get capacity(): number {
    return this.#bytes.length;
  }

  push(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.capacity) {
      const wanted = Math.max(length, Math.min(this.#most, Math.max(leastBytes, 2 * this.capacity)));
      // Unlike a copy, a transfer frees the old memory at once, without waiting for garbage collection.
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(wanted));
    }
    // guard S16: A body takes memory for its bytes, however small the pieces are.
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** A view of at most the first `most` bytes. It is valid until the next push. */
  beginning(most: number): Buffer {
    return Buffer.from(this.#bytes.buffer, 0, Math.min(most, this.#length));
  }

  /** Returns everything that has arrived. Nothing can be pushed afterwards. */
  take(): Buffer {
    return Buffer.from(this.#bytes.buffer.transfer(this.#length));
  }
}
