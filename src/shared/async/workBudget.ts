export interface BudgetLimits {
  /** The part of the time that the work may take, from 0 to 1. */
  share: number;
  /** How much it may take at once after a pause, in milliseconds. */
  most: number;
}

/** Bounds how much of the time a kind of work takes. */
export class WorkBudget {
  readonly #clock: () => number;
  readonly #effort: () => number;
  readonly #limits: BudgetLimits;
  #left: number;
  #at: number;

  /**
   * @param clock in milliseconds, which never goes back
   * @param effort what work has taken so far, in milliseconds: processor time, so that a busy machine costs nothing
   */
  constructor(clock: () => number, limits: BudgetLimits, effort: () => number) {
    this.#clock = clock;
    this.#effort = effort;
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
    const before = this.#effort();
    try {
      return work();
    } finally {
      this.#left -= this.#effort() - before;
    }
  }
}
