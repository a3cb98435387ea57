import { readdirSync, readFileSync, watch, type FSWatcher } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Run } from '../../../service/runs/run.ts';
import { Turns } from '../../../shared/async/turns.ts';
import { makeFolder } from '../../../shared/files/makeFolder.ts';
import { replaceFile } from '../../../shared/files/replaceFile.ts';

const ending = '.json';

/** The runs of a folder on the disk, a file for each: no window overwrites the runs of another. */
export class RunFiles {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  readonly #turns = new Turns();
  #watcher: FSWatcher | undefined;

  /** @param onError called if a run cannot be written, or no longer followed */
  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  all(): Run[] {
    return this.#try(() => readdirSync(this.#folder), []).flatMap((name) => {
      const run = name.endsWith(ending) ? this.read(name.slice(0, -ending.length)) : undefined;
      return run === undefined ? [] : [run];
    });
  }

  /** Undefined if it is not there, or is no file of a run. */
  read(id: string): Run | undefined {
    return this.#try(() => {
      const run = JSON.parse(readFileSync(this.#path(id), 'utf8')) as Run | null;
      return run?.id === id ? run : undefined;
    }, undefined);
  }

  /** Calls back with the id of a run whose file was written or removed, by whatever window. */
  follow(changed: (id: string) => void): void {
    try {
      makeFolder(this.#folder);
      this.#watcher = watch(this.#folder, { persistent: false }, (_, name) => {
        if (name?.endsWith(ending)) changed(name.slice(0, -ending.length));
      });
      this.#watcher.on('error', this.#onError);
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Stores the run as it is now. Never rejects. */
  save(run: Run): Promise<void> {
    const path = this.#path(run.id);
    const text = JSON.stringify(run);
    return this.#write(() => replaceFile(path, text));
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#write(async () => {
      for (const id of ids) await rm(this.#path(id), { force: true });
    });
  }

  dispose(): void {
    this.#watcher?.close();
  }

  #write(work: () => Promise<void>): Promise<void> {
    return this.#turns.next(async () => {
      try {
        makeFolder(this.#folder);
        await work();
      } catch (error) {
        this.#onError(error);
      }
    });
  }

  #try<T>(read: () => T, otherwise: T): T {
    try {
      return read();
    } catch {
      return otherwise;
    }
  }

  #path(id: string): string {
    return join(this.#folder, `${id}${ending}`);
  }
}
