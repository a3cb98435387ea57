import type { Clock } from '../../model/processes/clock.ts';
import type { BrokenOff, News, Refused } from '../../model/processes/listenerProtocol.ts';

/** Of so many a minute it is told what each was; of more, how many there were. Anybody who connects can cause them. */
const mostAMinute = 20;
const minuteMs = 60_000;

type Told = Pick<News, 'refused' | 'brokenOff' | 'untold'>;

/** The requests that were turned away or broke off, which are kept nowhere: those that a window is still to be told of. */
export class Unkept {
  readonly #clock: Clock;
  readonly #onNews: () => void;
  #next: Told = nothing();
  #left = mostAMinute;
  /** More than those of the minute that is under way. */
  #more = 0;
  #stopMinute: (() => void) | undefined;

  /** @param onNews there is something to tell */
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
    if (this.#left === 0 || this.#lines === mostAMinute) {
      this.#more += 1;
      return;
    }
    this.#left -= 1;
    (this.#next[kind] as (Refused | BrokenOff)[]).push(one);
    this.#onNews();
  }

  /** What is to be told, once; undefined where there is nothing. */
  take(): Told | undefined {
    const told = this.isUntold ? this.#next : undefined;
    this.#next = nothing();
    return told;
  }

  /** Nothing is told any more. */
  close(): void {
    this.#stopMinute?.();
    this.#stopMinute = () => undefined;
  }

  #endMinute(): void {
    this.#stopMinute = undefined;
    this.#left = mostAMinute;
    this.#next.untold += this.#more;
    this.#more = 0;
    if (this.isUntold) this.#onNews();
  }
}

function nothing(): Told {
  return { refused: [], brokenOff: [], untold: 0 };
}
