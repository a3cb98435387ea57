/** How often a program that dies is started again, and within what time, in milliseconds. */
const most = 5;
const withinMs = 60_000;

/** Says whether what has died is started again: one that dies at once would keep the machine busy. */
export class RestartRule {
  readonly #now: () => number;
  #starts: number[] = [];

  /** @param now a clock in milliseconds that only goes forward */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether it may be started again now; counts it if so. */
  allows(): boolean {
    const now = this.#now();
    this.#starts = this.#starts.filter((at) => now - at < withinMs);
    if (this.#starts.length >= most) return false;
    this.#starts.push(now);
    return true;
  }
}
