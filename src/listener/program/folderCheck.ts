const everyMs = 1000;

/** Checks a folder each second, and tells when the checks begin to fail, and once they succeed again. */
export class FolderCheck {
  readonly #onChange: (problem: string | undefined) => void;
  readonly #timer: NodeJS.Timeout;
  #problem: string | undefined;
  #isClosed = false;

  /** @param onChange called with the reason, and with undefined once the checks succeed */
  constructor(check: () => Promise<void>, onChange: (problem: string | undefined) => void) {
    this.#onChange = onChange;
    this.#timer = setInterval(() => {
      check().then(
        () => this.#note(undefined),
        (error: unknown) => this.#note(error instanceof Error ? error.message : String(error)),
      );
    }, everyMs);
  }

  close(): void {
    clearInterval(this.#timer);
    // A check may be under way.
    this.#isClosed = true;
  }

  #note(problem: string | undefined): void {
    if (problem === this.#problem || this.#isClosed) return;
    this.#problem = problem;
    this.#onChange(problem);
  }
}
