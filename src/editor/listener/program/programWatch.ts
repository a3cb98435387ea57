import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { controlFileName, programFolder } from '../../../listener/attach/controlFile.ts';

/** Tells when another window has started the listener program again. */
export class ProgramWatch {
  readonly #folder: string;
  readonly #changed: () => void;
  readonly #onError: (error: unknown) => void;
  #watcher: FSWatcher | undefined;

  /**
   * @param folder the storage folder of the program
   * @param changed called when a program has come or gone, sometimes without reason
   * @param onError called if it is no longer watched
   */
  constructor(folder: string, changed: () => void, onError: (error: unknown) => void) {
    this.#folder = join(folder, programFolder);
    this.#changed = changed;
    this.#onError = onError;
  }

  /** Once a program has run, which makes the folder. */
  start(): void {
    if (this.#watcher !== undefined) return;
    try {
      this.#watcher = watch(this.#folder, { persistent: false }, (_, name) => {
        if (name === controlFileName) this.#changed();
      });
      this.#watcher.on('error', this.#onError);
    } catch (error) {
      this.#onError(error);
    }
  }

  dispose(): void {
    this.#watcher?.close();
  }
}
