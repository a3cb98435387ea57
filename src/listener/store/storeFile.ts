import * as fs from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { emptyLog, identityOf, openDatabase, rollBack, valueOf } from './database.ts';
import { DeliveryQuery } from './deliveryQuery.ts';
import { DeliveryTable } from './deliveryTable.ts';
import { migrate } from './migrations.ts';
import { Retention } from './retention.ts';
import { Unforwarded } from './unforwarded.ts';
import { brokenFile, saysBroken, saysUnreadable, storeError, systemError } from './storeError.ts';

const fileName = 'deliveries.sqlite';

export interface OpenStore {
  database: DatabaseSync;
  table: DeliveryTable;
  query: DeliveryQuery;
  retention: Retention;
}

export interface StoreFileOptions {
  folder: string;
  /** A clock in Unix milliseconds. */
  now: () => number;
  /** Called when a file was corrupt and was renamed to this path. */
  onSetAside: (path: string) => void;
  /** Called, at a limited rate, with how many waiting deliveries were deleted because too many were waiting. */
  onUnforwarded?: (count: number) => void;
  /** Called with the ids of deleted deliveries that were waiting to be forwarded. */
  onGone?: (ids: readonly string[]) => void;
}

/**
 * The SQLite file of a folder. It may be removed, replaced or corrupted at any time. It is recreated if possible, and
 * data counts as written only if it is in the file that has the name at that time.
 */
export class StoreFile {
  readonly #options: StoreFileOptions;
  readonly #path: string;
  readonly #unforwarded: Unforwarded;
  #open: (OpenStore & { identity: string }) | undefined;

  constructor(options: StoreFileOptions) {
    this.#options = options;
    this.#path = join(options.folder, fileName);
    this.#unforwarded = new Unforwarded(options.now, (count) => options.onUnforwarded?.(count));
  }

  /** Whether the file could be opened when it was last used. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /**
   * Runs one transaction, which is on the disk when this returns.
   * @throws Error if it could not be stored; then no part of it is
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
        this.#tellGone(retention.takeUnforwarded());
        return result;
      } catch (error) {
        rollBack(database);
        retention.forget();
        throw error;
      }
    });
  }

  /** @throws Error if the file cannot be read */
  read<T>(work: (store: OpenStore) => T): T {
    if (this.#open !== undefined && this.#open.identity !== this.#identity()) this.#closeMoved();
    try {
      return work((this.#open ??= this.#openFile()));
    } catch (error) {
      const isBroken = this.#open === undefined ? saysUnreadable(error) : saysBroken(error);
      if (isBroken) this.#setAside();
      throw storeError(error);
    }
  }

  /** Reclaims the space of deleted data, which is in no file once {@link tidy} has returned true. */
  compact(): void {
    this.read(({ database, retention }) => {
      retention.forget();
      database.exec('VACUUM');
      emptyLog(database);
    });
  }

  /**
   * Releases the memory of cached pages, and empties the write-ahead log, which may hold deleted data.
   * @returns false while that cannot be done, because another program reads the file
   */
  tidy(): boolean {
    if (this.#open === undefined || this.#open.identity !== this.#identity()) return true;
    return this.read(({ database }) => {
      database.exec('PRAGMA shrink_memory');
      return emptyLog(database);
    });
  }

  close(): void {
    this.#unforwarded.flush();
    this.#open?.database.close();
    this.#open = undefined;
  }

  #tellGone(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.#unforwarded.add(ids.length);
    // Deliveries added by this transaction are queued for forwarding only after it.
    queueMicrotask(() => this.#options.onGone?.(ids));
  }

  #openFile(): OpenStore & { identity: string } {
    const { folder } = this.#options;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const log = fs.statSync(`${this.#path}-wal`, { throwIfNoEntry: false });
    // Created here, and not by SQLite, so that its identity is known before SQLite opens it.
    fs.closeSync(fs.openSync(this.#path, 'a', 0o600));
    const file = identityOf(this.#path);
    const database = openDatabase(this.#path);
    try {
      if (log !== undefined && log.size > 0 && valueOf(database, 'PRAGMA quick_check(1)') !== 'ok') {
        throw brokenFile('the file of the deliveries is broken');
      }
      migrate(database);
      const table = new DeliveryTable(database);
      const query = new DeliveryQuery(database, this.#options.now);
      const identity = this.#identity();
      if (file === undefined || identity?.startsWith(`${file} `) !== true) throw fileRemoved();
      return { database, table, query, retention: new Retention(database), identity };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Identifies the files that are at the path now, by device and inode number; undefined if one is missing. */
  #identity(): string | undefined {
    const [file, log] = [identityOf(this.#path), identityOf(`${this.#path}-wal`)];
    return file === undefined || log === undefined ? undefined : `${file} ${log}`;
  }

  #mustBeThere(): void {
    if (this.#open === undefined || this.#open.identity === this.#identity()) return;
    this.#closeMoved();
    throw fileRemoved();
  }

  /** Closes a file that was moved or removed. Its log is emptied first: it must not be read with the next file. */
  #closeMoved(): void {
    try {
      if (this.#open !== undefined) emptyLog(this.#open.database);
    } catch {
      // Then the log is left over, and the next file is checked when it is opened.
    }
    this.#discard();
  }

  #discard(): void {
    const discarded = this.#open;
    this.#open = undefined;
    try {
      discarded?.database.close();
    } catch {
      // Data that could not be written was never acknowledged.
    }
  }

  /** Renames a corrupt file, so that it can still be recovered; the next use creates a new one. */
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

function fileRemoved(): Error {
  return systemError('ENOENT', 'the file of the deliveries has been removed');
}
