/** How often it is looked whether a run still awaits its delivery, and for how long at most. Milliseconds. */
const looksEveryMs = 5000;
const waitsAtMostMs = 3_600_000;

export interface LifetimeOptions {
  /** How long to go on without a window, in milliseconds. */
  keepAliveMs: () => number;
  /** Whether a run that a window noted still awaits its delivery. */
  isAwaited: () => boolean;
  /** Nobody wants it any longer. */
  onEnd: () => void;
  /** Says what was decided, a line for the log. */
  say: (line: string) => void;
  /** A clock in milliseconds that only goes forward, and a timer by it. */
  now: () => number;
  after: (ms: number, done: () => void) => () => void;
}

/** How long the program goes on: while there is a window, and for a while after the last one. */
export class Lifetime {
  readonly #options: LifetimeOptions;
  #windows = 0;
  #leftAt = 0;
  #cancel: () => void = () => undefined;

  constructor(options: LifetimeOptions) {
    this.#options = options;
  }

  get hasWindow(): boolean {
    return this.#windows > 0;
  }

  /** A first window has so long to come. */
  start(withinMs: number): void {
    this.#leftAt = this.#options.now();
    this.#cancel = this.#options.after(withinMs, () => this.#options.onEnd());
  }

  came(): void {
    this.#windows += 1;
    this.#cancel();
  }

  left(): void {
    this.#windows -= 1;
    if (this.#windows > 0) return;
    this.#leftAt = this.#options.now();
    const ms = this.#options.keepAliveMs();
    this.#options.say(`The last window has left. Goes on for ${ms / 1000} s.`);
    // guard: it ends so long after the last window as you have set
    this.#wait(ms);
  }

  close(): void {
    this.#cancel();
  }

  #wait(ms: number): void {
    this.#cancel = this.#options.after(ms, () => this.#look());
  }

  #look(): void {
    const { isAwaited, keepAliveMs, now, onEnd, say } = this.#options;
    // Who ends it with the last window wants no program that stays.
    const mayWait = keepAliveMs() > 0 && now() - this.#leftAt < waitsAtMostMs;
    if (mayWait && isAwaited()) {
      this.#wait(looksEveryMs);
      return;
    }
    say('Ends: no window is there, and no run awaits its delivery.');
    onEnd();
  }
}
