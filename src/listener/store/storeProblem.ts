import { storeError } from './storeError.ts';
import type { StoreFile } from './storeFile.ts';

/** Tracks why deliveries cannot be stored. A failed read alone does not count, but a file that fails to open does. */
export class StoreProblem {
  readonly #file: Pick<StoreFile, 'isOpen'>;
  readonly #tell: (problem: Error | undefined) => void;
  #failed: 'opening' | 'writing' | undefined;

  /** @param tell called with the problem, and with undefined once deliveries can be stored again */
  constructor(file: Pick<StoreFile, 'isOpen'>, tell: (problem: Error | undefined) => void) {
    this.#file = file;
    this.#tell = tell;
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
    this.#tell(problem);
  }

  over(): void {
    if (this.#failed === undefined) return;
    this.#failed = undefined;
    this.#tell(undefined);
  }
}
