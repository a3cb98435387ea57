/** How long after a change it is begun, and how long answers have for themselves between two parts. Milliseconds. */
const beginsAfterMs = 100;
const pauseMs = 10;

/** Has the index of searches filled after the answers, a part at a time. */
export class IndexFilling {
  readonly #fill: () => boolean;
  #timer: NodeJS.Timeout | undefined;

  /** @param fill does a part, and says whether there is more to do */
  constructor(fill: () => boolean) {
    this.#fill = fill;
  }

  /** Something has changed. */
  begin(): void {
    this.#timer ??= setTimeout(() => this.#goOn(), beginsAfterMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #goOn(): void {
    let isMore = false;
    try {
      isMore = this.#fill();
    } catch {
      // Whoever adds or reads next is told what is wrong; what is in no block is found by reading.
    }
    clearTimeout(this.#timer);
    this.#timer = isMore ? setTimeout(() => this.#goOn(), pauseMs).unref() : undefined;
  }
}
