/** So long, in milliseconds, is an answer on its way to the view, or more. */
const onItsWayMs = 100;
const lookAgainMs = 20;

/**
 * What a tree view has asked for, and was given. A view that is told of a change takes what it still waits for as the answer
 * to that, and would stay with what was there before: it is told once it has what it asked for.
 */
export class ViewAnswers {
  /** How often the view has asked and has no answer yet. */
  #asked = 0;
  /** When it was answered last, in milliseconds. */
  #givenAt = -Infinity;

  /** Hands an answer through that takes its time. */
  async give<T>(answer: Promise<T>): Promise<T> {
    this.#asked += 1;
    try {
      return await answer;
    } finally {
      this.#asked -= 1;
      this.given();
    }
  }

  /** Notes that the view was answered. */
  given(): void {
    this.#givenAt = performance.now();
  }

  /** Resolves once the view has what it asked for. */
  async taken(): Promise<void> {
    while (this.#asked > 0 || performance.now() - this.#givenAt < onItsWayMs)
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}
