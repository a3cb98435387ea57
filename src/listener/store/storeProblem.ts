import { storeError } from './storeError.ts';
import type { StoreFile } from './storeFile.ts';

/** Why deliveries cannot be kept. What cannot be read alone says nothing of that; a file that cannot be opened does. */
export class StoreProblem {
  readonly #file: Pick<StoreFile, 'isOpen'>;
  readonly #tell: (problem: Error | undefined) => void;
  #failed: 'opening' | 'writing' | undefined;

  /** @param tell is told why, and of undefined once they can be kept again */
  constructor(file: Pick<StoreFile, 'isOpen'>, tell: (problem: Error | undefined) => void) {
    this.#file = file;
    this.#tell = tell;
  }

  /** @returns what was read; undefined where it could not be */
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
