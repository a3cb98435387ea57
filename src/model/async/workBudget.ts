export interface BudgetLimits {
  /** The part of the time that the work may take, from 0 to 1. */
  share: number;
  /** How much it may take at once after a pause, in milliseconds. */
  most: number;
}

/** Bounds how much of the time a kind of work takes. */
export class WorkBudget {
  readonly #clock: () => number;
  readonly #limits: BudgetLimits;
  #left: number;
  #at: number;

  /** @param clock in milliseconds, which never goes back */
  constructor(clock: () => number, limits: BudgetLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#left = limits.most;
    this.#at = clock();
  }

  get isLeft(): boolean {
    const now = this.#clock();
    const { share, most } = this.#limits;
    this.#left = Math.min(most, this.#left + (now - this.#at) * share);
    this.#at = now;
    return this.#left > 0;
  }

  /** Does the work. What it takes beyond the budget is missing later. */
  spend<T>(work: () => T): T {
    const started = this.#clock();
    try {
      return work();
    } finally {
      this.#left -= this.#clock() - started;
    }
  }
}
