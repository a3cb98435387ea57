/** The clock and the timer of a {@link SleepWatch}. */
export interface WatchClock {
  /** Unix milliseconds. */
  now: () => number;
  /** Calls back every so many milliseconds while the machine is awake. @returns ends it */
  every: (ms: number, callback: () => void) => () => void;
}

export const machineClock: WatchClock = {
  now: Date.now,
  every: (ms, callback) => {
    const timer = setInterval(callback, ms);
    return () => clearInterval(timer);
  },
};

const tickMs = 10_000;
/** A timer that comes later than this was not held up by work: the machine was asleep. */
const asleepMs = 60_000;

/** Notices that the machine was asleep: its clock went on and its timers did not. */
export class SleepWatch {
  readonly #end: () => void;

  /** @param onAwake told from when to when the machine was asleep, in Unix milliseconds */
  constructor({ now, every }: WatchClock, onAwake: (from: number, to: number) => void) {
    let last = now();
    this.#end = every(tickMs, () => {
      const [from, to] = [last, now()];
      last = to;
      if (to - from > asleepMs) onAwake(from, to);
    });
  }

  dispose(): void {
    this.#end();
  }
}
