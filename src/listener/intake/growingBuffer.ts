/** The least that is taken at once, in bytes. */
const leastBytes = 1024;

/**
 * Bytes that come in pieces, in one buffer of their own: what a piece was a part of is not held, and a thousand
 * pieces are one object. It takes no more than twice what has come.
 */
export class GrowingBuffer {
  readonly #most: number;
  #bytes = new Uint8Array(0);
  #length = 0;

  /** @param most how many bytes will come at most */
  constructor(most: number) {
    this.#most = most;
  }

  /** How much memory it takes, in bytes. */
  get capacity(): number {
    return this.#bytes.length;
  }

  push(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.capacity) {
      const wanted = Math.max(length, Math.min(this.#most, Math.max(leastBytes, 2 * this.capacity)));
      // Unlike a copy, a transfer gives back the memory of the old one at once, and not with a collection of garbage.
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(wanted));
    }
    // guard: a body takes memory for its bytes, however small the pieces are
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** The first bytes of what has come, so many at most. They stay what they are until more come. */
  beginning(most: number): Buffer {
    return Buffer.from(this.#bytes.buffer, 0, Math.min(most, this.#length));
  }

  /** All that has come. Nothing can be added after it. */
  take(): Buffer {
    return Buffer.from(this.#bytes.buffer.transfer(this.#length));
  }
}
