/** How long after an answer the view is assumed to have it, in milliseconds. */
const onItsWayMs = 100;
const lookAgainMs = 20;

/**
 * Tracks the requests of a tree view and their answers. A view that is told of a change while a request is pending
 * takes the pending answer for the new state, and would stay stale. So it is told only once it has all its answers.
 */
export class ViewAnswers {
  /** The number of requests without an answer. */
  #pending = 0;
  /** When the last answer was given, in milliseconds of `performance.now()`. */
  #answeredAt = -Infinity;

  /** Passes an asynchronous answer on to the view. */
  async give<T>(answer: Promise<T>): Promise<T> {
    this.#pending += 1;
    try {
      return await answer;
    } finally {
      this.#pending -= 1;
      this.given();
    }
  }

  /** Notes that the view was answered. */
  given(): void {
    this.#answeredAt = performance.now();
  }

  /** Resolves once the view has all its answers. */
  async taken(): Promise<void> {
    while (this.#pending > 0 || performance.now() - this.#answeredAt < onItsWayMs)
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}
