/** How long nothing must have come, in milliseconds. */
const quietMs = 3000;

/**
 * Gives memory back to the system after a burst: V8 does not by itself while it has nothing to do. Works where Node was
 * started with `--expose-gc`, as the window does.
 */
export class QuietMemory {
  readonly #shrink: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param shrink gives back what can be read again */
  constructor(shrink: () => void) {
    this.#shrink = shrink;
  }

  /** Something has come. */
  busy(): void {
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#giveBack(), quietMs);
    else this.#timer.refresh();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #giveBack(): void {
    this.#timer = undefined;
    this.#shrink();
    globalThis.gc?.({ execution: 'sync', flavor: 'last-resort', type: 'major' });
  }
}
