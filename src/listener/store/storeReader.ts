import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openRegularFile } from '../../shared/files/regularFile.ts';
import { fileEnds, openDatabase, openForReading } from './database.ts';
import { DeliveryQuery } from './deliveryQuery.ts';
import { isOfOlderVersion, migrate } from './migrations.ts';
import { storeError } from './storeError.ts';
import { storeFileName } from './storeFile.ts';

/** Reads the deliveries of a folder, whether a program keeps some there or not, and changes nothing there. */
export class StoreReader {
  readonly #database: DatabaseSync;
  readonly #query: DeliveryQuery;
  #copyFolder: string | undefined;

  /**
   * @param folder the folder of the file, which has to be there
   * @param now a clock in Unix milliseconds
   * @throws Error if the file cannot be read
   */
  constructor(folder: string, now: () => number) {
    const path = join(folder, storeFileName);
    for (const end of fileEnds) {
      if (end === '' || fs.existsSync(path + end))
        fs.closeSync(openRegularFile(path + end, fs.constants.O_RDONLY));
    }
    this.#database = this.#open(path);
    this.#query = new DeliveryQuery(this.#database, now);
  }

  /** @throws Error if the file cannot be read */
  read<T>(work: (query: DeliveryQuery) => T): T {
    try {
      return work(this.#query);
    } catch (error) {
      throw storeError(error);
    }
  }

  close(): void {
    this.#database.close();
    if (this.#copyFolder !== undefined) fs.rmSync(this.#copyFolder, { recursive: true, force: true });
  }

  #open(path: string): DatabaseSync {
    // guard S45: The file is opened for reading only.
    const database = openForReading(path);
    try {
      if (!isOfOlderVersion(database)) return database;
      // Only a copy may be upgraded.
      this.#copyFolder = fs.mkdtempSync(join(tmpdir(), 'runhook-copy-'));
      const copy = join(this.#copyFolder, storeFileName);
      database.prepare('VACUUM INTO ?').run(copy);
      database.close();
      const upgraded = openDatabase(copy);
      migrate(upgraded);
      return upgraded;
    } catch (error) {
      if (database.isOpen) database.close();
      throw storeError(error);
    }
  }
}
