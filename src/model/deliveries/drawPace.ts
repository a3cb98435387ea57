import type { Clock } from '../processes/clock.ts';

/** Changes that come within this time are drawn at once. */
const batchMs = 200;
/** While changes keep coming they are drawn once in this time. */
const streamMs = 1000;

/**
 * When to draw a view whose rows keep coming. While it is drawn anew the editor does not know its rows: a click on
 * one names nothing, and the less so the farther away the extension host is. So a change that comes alone is drawn
 * soon, and a stream of them now and then.
 */
export class DrawPace {
  readonly #clock: Clock;
  readonly #draw: () => void;
  #drawnAt = -Infinity;
  #cancel: (() => void) | undefined;

  /** @param draw called when it is time to draw; whoever draws calls `drawn` */
  constructor(clock: Clock, draw: () => void) {
    this.#clock = clock;
    this.#draw = draw;
  }

  /** Whether something has changed that is not drawn yet. */
  get isDue(): boolean {
    return this.#cancel !== undefined;
  }

  /** Something has changed. */
  change(): void {
    const waitMs = Math.max(batchMs, this.#drawnAt + streamMs - this.#clock.now());
    this.#cancel ??= this.#clock.after(waitMs, () => this.#draw());
  }

  /** All is drawn as it is now. */
  drawn(): void {
    this.dispose();
    this.#drawnAt = this.#clock.now();
  }

  dispose(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
