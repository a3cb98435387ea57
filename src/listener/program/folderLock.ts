import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { identityOf } from '../../shared/files/identityOf.ts';
import { makeFolder } from '../../shared/files/makeFolder.ts';
import { clearTheWay } from '../../shared/files/regularFile.ts';
import { lockFileName } from '../attach/controlFile.ts';
import { fileEnds, openFile } from '../store/database.ts';
import { isCorrupt, storeError } from '../store/storeError.ts';

const triesEveryMs = 10;

/**
 * The lock that makes one program the owner of a folder. The operating system releases it however the program ends,
 * so a leftover file never counts as a held lock.
 */
export class FolderLock {
  readonly #folder: string;
  readonly #path: string;
  #held: { database: DatabaseSync; identity: string | undefined } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, lockFileName);
  }

  /**
   * Takes the lock, and creates the folder if it is missing; false if another program held the lock all the while.
   * @param waitMs how long to wait for a program that is about to end
   * @throws Error if the folder cannot be written
   */
  async take(waitMs: number): Promise<boolean> {
    const until = performance.now() + waitMs;
    while (!this.#tryToTake()) {
      if (performance.now() >= until) return false;
      await pause(triesEveryMs);
    }
    return true;
  }

  /**
   * Takes the lock again if its file was removed or replaced.
   * @returns false if another program has taken it meanwhile
   * @throws Error if the folder cannot be written
   */
  async keep(): Promise<boolean> {
    // guard S40: The program ends if another one has taken the lock.
    return this.isHeld || (await this.take(0));
  }

  /** Identifies the file of the held lock; undefined if it is not held. */
  get identity(): string | undefined {
    return this.#held?.identity;
  }

  /** Whether the lock is held, and its file has not been removed or replaced. */
  get isHeld(): boolean {
    const identity = this.#held?.identity;
    // Undefined if the file was removed while it was opened.
    return identity !== undefined && identity === identityOf(this.#path);
  }

  release(): void {
    const held = this.#held;
    this.#held = undefined;
    held?.database.close();
  }

  /** @param isNew whether a broken lock file was just removed */
  #tryToTake(isNew = false): boolean {
    this.release();
    makeFolder(this.#folder, 0o700);
    for (const end of fileEnds) clearTheWay(this.#path + end);
    let database: DatabaseSync | undefined;
    try {
      database = openFile(this.#path);
      database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
      this.#held = { database, identity: identityOf(this.#path) };
      return true;
    } catch (error) {
      database?.close();
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false;
      if (!isCorrupt(error) || isNew) throw storeError(error);
      // The lock file holds no data.
      rmSync(this.#path, { force: true });
      return this.#tryToTake(true);
    }
  }
}

const sqliteBusy = 5;
