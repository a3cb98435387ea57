import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { identityOf, openFile } from '../store/database.ts';
import { saysBroken, storeError } from '../store/storeError.ts';

const triesEveryMs = 10;

/**
 * Says which of several programs is the one of a folder. The system lets go of it however a program ends, so no
 * file that was left behind ever counts.
 */
export class FolderLock {
  readonly #folder: string;
  readonly #path: string;
  #held: { database: DatabaseSync; identity: string } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, 'lock.sqlite');
  }

  /**
   * Takes it, and makes the folder where there is none; false where another program has it all the while.
   * @param waitMs how long to wait for another that is about to end
   * @throws Error where the folder cannot be written
   */
  async take(waitMs: number): Promise<boolean> {
    const until = performance.now() + waitMs;
    while (!this.#tryToTake()) {
      if (performance.now() >= until) return false;
      await pause(triesEveryMs);
    }
    return true;
  }

  /** Whether it is held, in the file that has its name. */
  get isHeld(): boolean {
    return this.#held !== undefined && this.#held.identity === identityOf(this.#path);
  }

  release(): void {
    this.#held?.database.close();
    this.#held = undefined;
  }

  /** @param isNew whether the file has just been removed since it was broken */
  #tryToTake(isNew = false): boolean {
    this.release();
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    let database: DatabaseSync | undefined;
    try {
      database = openFile(this.#path);
      database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
      this.#held = { database, identity: identityOf(this.#path) };
      return true;
    } catch (error) {
      database?.close();
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false;
      if (!saysBroken(error) || isNew) throw storeError(error);
      // It holds nothing that could be lost.
      rmSync(this.#path, { force: true });
      return this.#tryToTake(true);
    }
  }
}

const sqliteBusy = 5;
