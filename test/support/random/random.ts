/** A seeded random number generator (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` up to, but not including, `high`. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low));
  }

  /** The same values in another order. */
  shuffled<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, place: this.next() }))
      .sort((one, other) => one.place - other.place)
      .map(({ value }) => value);
  }

  of<T>(values: readonly T[]): T {
    const value = values[this.whole(0, values.length)];
    if (value === undefined) throw new Error('There is nothing to choose from.');
    return value;
  }
}
