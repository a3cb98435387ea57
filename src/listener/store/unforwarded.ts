/** The minimum time between two reports, in milliseconds. */
const everyMs = 60_000;

/** Reports how many waiting deliveries were deleted before they were forwarded: at once first, then rate-limited. */
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

  /** Reports the deletions that the rate limit held back. */
  flush(): void {
    if (this.#untold === 0) return;
    this.#tell(this.#untold);
    this.#untold = 0;
    this.#toldAt = this.#now();
  }
}
