import type { Clock } from '../../shared/async/clock.ts';
import { waitText } from '../../shared/text/durationText.ts';

/** How often to check whether a run still awaits its delivery, and how long one may wait. Milliseconds. */
const looksEveryMs = 5000;
const awaitsAtMostMs = 3_600_000;
/** The longest that the program goes on without a window, in milliseconds: what the setting allows. */
const longestKeepAliveMs = 86_400_000;

export interface LifetimeOptions {
  /** How long to keep running without a window, in milliseconds. */
  keepAliveMs: () => number;
  /** Whether a run started after `startedAt` (Unix milliseconds) still awaits its delivery. */
  awaitsSince: (startedAt: number) => boolean;
  /** Called when the program is to end. */
  onEnd: () => void;
  /** Writes a line to the log. */
  say: (line: string) => void;
  clock: Clock;
}

/** Decides how long the program runs: while there is a window, and for a while after the last one. */
export class Lifetime {
  readonly #options: LifetimeOptions;
  #cancel: () => void = () => undefined;

  constructor(options: LifetimeOptions) {
    this.#options = options;
  }

  /** Ends the program if no window attaches within that time, in milliseconds. */
  start(withinMs: number): void {
    this.#cancel = this.#options.clock.after(withinMs, () => this.#options.onEnd());
  }

  /** Call this when a window has attached. */
  hold(): void {
    this.#cancel();
  }

  /** Call this when the last window has left. */
  left(): void {
    const ms = Math.min(this.#options.keepAliveMs(), longestKeepAliveMs);
    this.#options.say(`The last window has left. Goes on for ${waitText(ms)}.`);
    // guard S28: The program ends the configured time after the last window.
    this.#checkAfter(ms);
  }

  #checkAfter(ms: number): void {
    this.#cancel = this.#options.clock.after(ms, () => this.#check());
  }

  #check(): void {
    const { awaitsSince, clock, keepAliveMs, onEnd, say } = this.#options;
    // With a keep-alive of 0 the program must end with the last window, so no run is waited for.
    if (keepAliveMs() > 0 && awaitsSince(clock.now() - awaitsAtMostMs)) {
      this.#checkAfter(looksEveryMs);
      return;
    }
    say('Ends: no window is there, and no run awaits its delivery.');
    onEnd();
  }
}
