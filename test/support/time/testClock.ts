import type { Clock } from '../../../src/shared/async/clock.ts';

/** A clock that only advances when the test says so. */
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

  /** Milliseconds until the next callback is due; undefined if there is none. */
  get nextIn(): number | undefined {
    return this.#timers.length === 0
      ? undefined
      : Math.min(...this.#timers.map((timer) => timer.at)) - this.#now;
  }

  /** Advances the clock and runs the callbacks that fall due, in order. */
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
