import type { Clock } from '../../shared/async/clock.ts';
import { isOfTheSystem, storeError } from './storeError.ts';
import type { StoreFile } from './storeFile.ts';

/** If a problem comes back within this time, it has to stay away as long before it is said to be over. In ms. */
const calmMs = 5_000;
/** How many kinds of problems are told until all is well again: their texts may be of any number. */
const mostTold = 20;

/**
 * Tracks why deliveries cannot be stored. A failed read alone does not count, but a file that fails to open does.
 * Anybody can cause a failure with each request, so a problem that stays is told once.
 */
export class StoreProblem {
  readonly #file: Pick<StoreFile, 'isOpen'>;
  readonly #tell: (problem: Error | undefined) => void;
  readonly #clock: Clock;
  #failed: 'opening' | 'writing' | undefined;
  /** The kinds of problems that were told since all was well. */
  readonly #told = new Set<string>();
  /** When the last problem was said to be over, and whether the current one came soon after. */
  #overAt = Number.NEGATIVE_INFINITY;
  #isBack = false;
  #cancelOver: () => void = () => undefined;

  /** @param tell called with the problem, and with undefined once deliveries can be stored again */
  constructor(file: Pick<StoreFile, 'isOpen'>, tell: (problem: Error | undefined) => void, clock: Clock) {
    this.#file = file;
    this.#tell = tell;
    this.#clock = clock;
  }

  /** @returns the result of `read`; undefined if it failed */
  reading<T>(read: () => T): T | undefined {
    try {
      const result = read();
      if (this.#failed === 'opening') this.over();
      return result;
    } catch (error) {
      if (!this.#file.isOpen && this.#failed === undefined) this.is(storeError(error));
      return undefined;
    }
  }

  /** @returns whether it was written */
  writing(write: () => void): boolean {
    try {
      write();
      if (this.#failed === 'opening') this.over();
      return true;
    } catch (error) {
      this.is(storeError(error));
      return false;
    }
  }

  is(problem: Error): void {
    this.#failed = this.#file.isOpen ? 'writing' : 'opening';
    this.#cancelOver();
    if (this.#told.size === 0) this.#isBack = this.#clock.now() - this.#overAt < calmMs;
    const kind = kindOf(problem);
    // guard S32: A problem that stays the same is reported once.
    if (this.#told.has(kind) || this.#told.size >= mostTold) return;
    this.#told.add(kind);
    this.#tell(problem);
  }

  over(): void {
    if (this.#failed === undefined) return;
    this.#failed = undefined;
    if (this.#isBack) this.#cancelOver = this.#clock.after(calmMs, () => this.#tellOver());
    else this.#tellOver();
  }

  close(): void {
    this.#cancelOver();
  }

  #tellOver(): void {
    this.#told.clear();
    this.#overAt = this.#clock.now();
    this.#tell(undefined);
  }
}

/** The code says what it is; the text may name another file each time. */
function kindOf(problem: Error): string {
  return isOfTheSystem(problem) && 'code' in problem ? String(problem.code) : problem.message;
}
