/** How often it is told at most, in milliseconds. */
const everyMs = 60_000;

/** Tells how many deliveries went that waited to be forwarded: of the first at once, of all that go afterwards now and then. */
export class Unforwarded {
  readonly #now: () => number;
  readonly #tell: (count: number) => void;
  #untold = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  /** @param now a clock in Unix milliseconds */
  constructor(now: () => number, tell: (count: number) => void) {
    this.#now = now;
    this.#tell = tell;
  }

  add(count: number): void {
    this.#untold += count;
    if (count > 0 && this.#now() - this.#toldAt >= everyMs) this.flush();
  }

  /** Tells of those that it was too soon for. */
  flush(): void {
    if (this.#untold === 0) return;
    this.#tell(this.#untold);
    this.#untold = 0;
    this.#toldAt = this.#now();
  }
}
