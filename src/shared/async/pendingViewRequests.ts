/** How long after the window has an answer its view is assumed to show it, in milliseconds. */
const onItsWayMs = 100;
const lookAgainMs = 20;

/**
 * Tracks the requests of a tree view and their answers. A view that is told of a change while a request is pending
 * takes the pending answer for the new state, and would stay stale. So it is told only once it has all its answers.
 */
export class PendingViewRequests {
  /** The number of requests whose answer the view may not have yet. */
  #pending = 0;
  readonly #reachWindow: () => PromiseLike<unknown>;

  /** @param reachWindow resolves once the window has what was sent to it before: a busy one may take seconds */
  constructor(reachWindow: () => PromiseLike<unknown>) {
    this.#reachWindow = reachWindow;
  }

  /** Passes an asynchronous answer on to the view. */
  async give<T>(answer: Promise<T>): Promise<T> {
    this.#pending += 1;
    try {
      return await answer;
    } finally {
      this.given();
      this.#pending -= 1;
    }
  }

  /** Notes that the view was answered. */
  given(): void {
    this.#pending += 1;
    // A timer, not the clock: where the process stands still for a while, the answer waits as well.
    const settle = () => setTimeout(() => (this.#pending -= 1), onItsWayMs).unref();
    // Only after this turn is the answer sent. A window that is closing may reject.
    setImmediate(() => void this.#reachWindow().then(settle, settle));
  }

  /** Resolves once the view has all its answers. */
  async taken(): Promise<void> {
    while (this.#pending > 0) await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}
