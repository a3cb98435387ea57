import type { Clock } from '../../model/processes/clock.ts';
import type { BrokenOff, News, Refused } from '../../model/processes/listenerProtocol.ts';

/** How many requests per minute are reported in detail; the rest are only counted. Anybody can cause them. */
const mostAMinute = 20;
const minuteMs = 60_000;

type Told = Pick<News, 'refused' | 'brokenOff' | 'untold'>;

/** Refused and cut-off requests that a window has not been told of yet. They are not stored anywhere else. */
export class Unkept {
  readonly #clock: Clock;
  readonly #onNews: () => void;
  #next: Told = nothing();
  #remaining = mostAMinute;
  /** How many requests beyond the limit arrived in the current minute. */
  #overLimit = 0;
  #stopMinute: (() => void) | undefined;

  /** @param onNews called when there is something to report */
  constructor(clock: Clock, onNews: () => void) {
    this.#clock = clock;
    this.#onNews = onNews;
  }

  get isUntold(): boolean {
    return this.#lines + this.#next.untold > 0;
  }

  get #lines(): number {
    return this.#next.refused.length + this.#next.brokenOff.length;
  }

  add(kind: 'refused', one: Refused): void;
  add(kind: 'brokenOff', one: BrokenOff): void;
  add(kind: 'refused' | 'brokenOff', one: Refused | BrokenOff): void {
    this.#stopMinute ??= this.#clock.after(minuteMs, () => this.#endMinute());
    // guard: whoever floods it with what is not kept is told of in few lines
    if (this.#remaining === 0 || this.#lines === mostAMinute) {
      this.#overLimit += 1;
      return;
    }
    this.#remaining -= 1;
    (this.#next[kind] as (Refused | BrokenOff)[]).push(one);
    this.#onNews();
  }

  /** Returns what is to be reported, and forgets it; undefined if there is nothing. */
  take(): Told | undefined {
    const told = this.isUntold ? this.#next : undefined;
    this.#next = nothing();
    return told;
  }

  /** Stops reporting. */
  close(): void {
    this.#stopMinute?.();
    this.#stopMinute = () => undefined;
  }

  #endMinute(): void {
    this.#stopMinute = undefined;
    this.#remaining = mostAMinute;
    this.#next.untold += this.#overLimit;
    this.#overLimit = 0;
    if (this.isUntold) this.#onNews();
  }
}

function nothing(): Told {
  return { refused: [], brokenOff: [], untold: 0 };
}
