import * as fs from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { SearchIndex } from '../search/searchIndex.ts';
import { identityOf, openDatabase, rollBack, valueOf } from './database.ts';
import { DeliveryQuery } from './deliveryQuery.ts';
import { DeliveryTable } from './deliveryTable.ts';
import { migrate } from './migrations.ts';
import { Retention } from './retention.ts';
import { Unforwarded } from './unforwarded.ts';
import { brokenFile, saysBroken, saysUnreadable, storeError, systemError } from './storeError.ts';

const fileName = 'deliveries.sqlite';
/** How long after a change the index is filled, and how long answers have for themselves between two parts. Milliseconds. */
const fillsAfterMs = 100;
const fillPauseMs = 10;

export interface OpenStore {
  database: DatabaseSync;
  table: DeliveryTable;
  query: DeliveryQuery;
  search: SearchIndex;
  retention: Retention;
}

export interface StoreFileOptions {
  folder: string;
  /** A clock in Unix milliseconds. */
  now: () => number;
  /** A file was broken, and is kept under this name. */
  onSetAside: (path: string) => void;
  /** So many deliveries went that waited to be forwarded, since more wait than may; not told for each. */
  onUnforwarded?: (count: number) => void;
  /** These are not kept any more, though they wait to be forwarded. */
  onGone?: (ids: readonly string[]) => void;
}

/**
 * The SQLite file of a folder. It may be removed, replaced or spoilt at any time: it is made anew where that can be,
 * and nothing counts as written that is not in the file which has its name.
 */
export class StoreFile {
  readonly #options: StoreFileOptions;
  readonly #path: string;
  readonly #unforwarded: Unforwarded;
  #filling: NodeJS.Timeout | undefined;
  #open: (OpenStore & { identity: string }) | undefined;

  constructor(options: StoreFileOptions) {
    this.#options = options;
    this.#path = join(options.folder, fileName);
    this.#unforwarded = new Unforwarded(options.now, (count) => options.onUnforwarded?.(count));
  }

  /** Whether the file could be opened when it was used last. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /**
   * One transaction, which is on the disk when this returns.
   * @throws Error where it could not be kept; then nothing of it is
   */
  write<T>(work: (store: OpenStore) => T): T {
    return this.read((store) => {
      const { database, retention } = store;
      database.exec('BEGIN IMMEDIATE');
      try {
        retention.refresh();
        const result = work(store);
        // guard: what is told to be kept is in the file which has that name, by device and number
        database.exec('COMMIT');
        this.#mustBeThere();
        this.#fillAfter(fillsAfterMs);
        this.#tellGone(retention.takeUnforwarded());
        return result;
      } catch (error) {
        rollBack(database);
        retention.forget();
        throw error;
      }
    });
  }

  /** @throws Error where it cannot be read */
  read<T>(work: (store: OpenStore) => T): T {
    if (this.#open !== undefined && this.#open.identity !== this.#identity()) this.#leave();
    try {
      return work((this.#open ??= this.#openFile()));
    } catch (error) {
      const isBroken = this.#open === undefined ? saysUnreadable(error) : saysBroken(error);
      if (isBroken) this.#setAside();
      throw storeError(error);
    }
  }

  /** Does a part of what makes searches fast. @returns whether there is more to do */
  fillIndex(): boolean {
    if (this.#open === undefined || this.#open.identity !== this.#identity()) return false;
    const found = this.read(({ search }) => search.gather());
    if (found === 'ready') this.write(({ search }) => search.keep());
    return found !== 'nothing';
  }

  /** Gives back the room of what was deleted: it is in no file afterwards. */
  compact(): void {
    this.read(({ database, retention }) => {
      retention.forget();
      database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    });
  }

  /** Gives back the memory of pages that can be read again. */
  shrink(): void {
    this.#open?.database.exec('PRAGMA shrink_memory');
  }

  close(): void {
    clearTimeout(this.#filling);
    this.#filling = undefined;
    this.#unforwarded.flush();
    this.#open?.database.close();
    this.#open = undefined;
  }

  #tellGone(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.#unforwarded.add(ids.length);
    // What came with this transaction begins to wait after it.
    queueMicrotask(() => this.#options.onGone?.(ids));
  }

  #fillAfter(ms: number): void {
    this.#filling ??= setTimeout(() => {
      let isMore = false;
      try {
        isMore = this.fillIndex();
      } catch {
        // Whoever adds or reads next is told what is wrong; what is in no block is found by reading.
      }
      this.#filling = undefined;
      if (isMore) this.#fillAfter(fillPauseMs);
    }, ms).unref();
  }

  #openFile(): OpenStore & { identity: string } {
    const { folder } = this.#options;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const log = fs.statSync(`${this.#path}-wal`, { throwIfNoEntry: false });
    const database = openDatabase(this.#path);
    try {
      if (log !== undefined && log.size > 0 && valueOf(database, 'PRAGMA quick_check(1)') !== 'ok') {
        throw brokenFile('the file of the deliveries is broken');
      }
      migrate(database);
      const table = new DeliveryTable(database);
      const search = new SearchIndex(database);
      const query = new DeliveryQuery(database, search, this.#options.now);
      const identity = this.#identity();
      return { database, table, query, search, retention: new Retention(database), identity };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Which file has the name now, by device and number. */
  #identity(): string {
    return `${identityOf(this.#path)} ${identityOf(`${this.#path}-wal`)}`;
  }

  #mustBeThere(): void {
    if (this.#open === undefined || this.#open.identity === this.#identity()) return;
    this.#leave();
    throw systemError('ENOENT', 'the file of the deliveries has been removed');
  }

  /** Lets go of a file that has another name by now, or none, and whole: its log must not be read with the next file. */
  #leave(): void {
    try {
      this.#open?.database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Then what is read is checked before it is used.
    }
    this.#discard();
  }

  #discard(): void {
    const discarded = this.#open;
    this.#open = undefined;
    try {
      discarded?.database.close();
    } catch {
      // What it could not write any more was never acknowledged.
    }
  }

  /** A broken file is kept for whoever can read it, under a name that says so; the next use makes a new one. */
  #setAside(): void {
    this.#discard();
    const time = new Date(this.#options.now()).toISOString().replaceAll(/[:.]/g, '-');
    const named = (count: number): string =>
      join(this.#options.folder, `deliveries-broken-${time}${count === 0 ? '' : `-${count}`}.sqlite`);
    let count = 0;
    while (fs.existsSync(named(count))) count += 1;
    const aside = named(count);
    for (const end of ['', '-wal', '-shm']) {
      if (fs.existsSync(this.#path + end)) fs.renameSync(this.#path + end, aside + end);
    }
    this.#options.onSetAside(aside);
  }
}
