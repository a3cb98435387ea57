import type { Clock } from '../../src/model/processes/clock.ts';

/** A clock that stands still until it is turned forward. */
export class TestClock implements Clock {
  #now: number;
  #timers: { at: number; callback: () => void }[] = [];

  /** @param now Unix milliseconds */
  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** How long until the next callback is due, in milliseconds; undefined where none is. */
  get nextIn(): number | undefined {
    return this.#timers.length === 0
      ? undefined
      : Math.min(...this.#timers.map((timer) => timer.at)) - this.#now;
  }

  /** Turns the clock forward and calls back whatever falls due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [due] = this.#timers.filter((timer) => timer.at <= end).sort((one, other) => one.at - other.at);
      if (due === undefined) break;
      this.#now = due.at;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      due.callback();
    }
    this.#now = end;
  }
}
