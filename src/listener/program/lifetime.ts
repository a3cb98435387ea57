import type { Clock } from '../../model/processes/clock.ts';

/** How often it is looked whether a run still awaits its delivery, and for how long it may. Milliseconds. */
const looksEveryMs = 5000;
const awaitsAtMostMs = 3_600_000;

export interface LifetimeOptions {
  /** How long to go on without a window, in milliseconds. */
  keepAliveMs: () => number;
  /** Whether a run that was started since then awaits its delivery. Unix milliseconds. */
  awaitsSince: (startedAt: number) => boolean;
  /** Nobody wants it any longer. */
  onEnd: () => void;
  /** Says what was decided, a line for the log. */
  say: (line: string) => void;
  clock: Clock;
}

/** How long the program goes on: while there is a window, and for a while after the last one. */
export class Lifetime {
  readonly #options: LifetimeOptions;
  #cancel: () => void = () => undefined;

  constructor(options: LifetimeOptions) {
    this.#options = options;
  }

  /** A first window has so long to come. */
  start(withinMs: number): void {
    this.#cancel = this.#options.clock.after(withinMs, () => this.#options.onEnd());
  }

  /** A window is there. */
  hold(): void {
    this.#cancel();
  }

  /** The last window has left. */
  left(): void {
    const ms = this.#options.keepAliveMs();
    this.#options.say(`The last window has left. Goes on for ${ms / 1000} s.`);
    // guard: it ends so long after the last window as you have set
    this.#lookAfter(ms);
  }

  #lookAfter(ms: number): void {
    this.#cancel = this.#options.clock.after(ms, () => this.#look());
  }

  #look(): void {
    const { awaitsSince, clock, keepAliveMs, onEnd, say } = this.#options;
    // Who ends it with the last window wants no program that stays.
    if (keepAliveMs() > 0 && awaitsSince(clock.now() - awaitsAtMostMs)) {
      this.#lookAfter(looksEveryMs);
      return;
    }
    say('Ends: no window is there, and no run awaits its delivery.');
    onEnd();
  }
}
