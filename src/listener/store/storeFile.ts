import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { verdicts } from '../../contract/values.ts';
import { clearTheWay, openRegularFile } from '../../shared/files/regularFile.ts';
import { makeFolder } from '../../shared/files/makeFolder.ts';
import { identityOf } from '../../shared/files/identityOf.ts';
import { emptyLog, fileEnds, listed, openDatabase, rollBack, valueOf } from './database.ts';
import { DeliveryQuery } from './deliveryQuery.ts';
import { DeliveryTable, type StoreRest } from './deliveryTable.ts';
import { migrate } from './migrations.ts';
import { Retention } from './retention.ts';
import { brokenFile, isCorrupt, isUnreadable, storeError, systemError } from './storeError.ts';
import { attemptKinds } from '../../contract/delivery.ts';

/** The name of the file in its folder. */
export const storeFileName = 'deliveries.sqlite';

/** The folder of that file in a storage folder. */
export function deliveriesFolder(folder: string): string {
  return join(folder, 'deliveries');
}
/** A new file that is broken as well is not set aside within this time, in milliseconds: the disk is broken. */
const setAsideAgainMs = 60_000;

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
  /** When a file was set aside, if nothing was written since. */
  #setAsideAt: number | undefined;

  constructor(options: StoreFileOptions) {
    this.#options = options;
    this.#path = join(options.folder, storeFileName);
    this.#unforwarded = new Unforwarded(options.now, (count) => options.onUnforwarded?.(count));
  }

  /** The file as it was opened, though it may have been removed since. */
  get opened(): OpenStore | undefined {
    return this.#open;
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
      const { database, retention, table } = store;
      database.exec('BEGIN IMMEDIATE');
      try {
        retention.refresh();
        table.begin();
        const result = work(store);
        table.end();
        // guard S33: A delivery counts as stored only if the file is still the one with that name, by device and inode.
        database.exec('COMMIT');
        table.committed();
        this.#mustBeThere();
        this.#setAsideAt = undefined;
        this.#tellGone(retention.takeUnforwarded());
        return result;
      } catch (error) {
        if (!rollBack(database)) this.#discard();
        retention.forget();
        throw error;
      }
    });
  }

  /** @throws Error if the file cannot be read */
  read<T>(work: (store: OpenStore) => T): T {
    if (this.#open !== undefined && this.#open.identity !== this.#identity()) this.#closeMoved();
    let isOpened = false;
    try {
      const store = (this.#open ??= this.#openFile());
      isOpened = true;
      return work(store);
    } catch (error) {
      const isBroken = isOpened ? isCorrupt(error) : isUnreadable(error);
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

  /**
   * Removes the file with all deliveries: a full disk takes no deletion, but gives back the room of a file.
   * @throws Error if it cannot be removed
   */
  startAnew(): void {
    let rest: StoreRest | undefined;
    try {
      rest = this.read(({ table }) => table.rest);
    } catch {
      // Then nothing is left of it.
    }
    this.#discard();
    for (const end of fileEnds) fs.rmSync(this.#path + end, { force: true });
    this.write(({ table }) => rest && table.takeOver(rest));
  }

  close(): void {
    this.#unforwarded.flush();
    this.#discard();
  }

  #tellGone(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.#unforwarded.add(ids.length);
    // Deliveries added by this transaction are queued for forwarding only after it.
    queueMicrotask(() => this.#options.onGone?.(ids));
  }

  #openFile(): OpenStore & { identity: string } {
    const { folder } = this.#options;
    makeFolder(folder, 0o700);
    for (const end of fileEnds) clearTheWay(this.#path + end);
    // Created here, and not by SQLite, so that its identity is known before SQLite opens it.
    const { O_APPEND, O_CREAT, O_WRONLY } = fs.constants;
    fs.closeSync(openRegularFile(this.#path, O_APPEND | O_CREAT | O_WRONLY));
    const file = identityOf(this.#path);
    const database = openDatabase(this.#path);
    try {
      migrate(database);
      // guard S41: The whole file is checked at each start.
      checkSoundness(database);
      const table = new DeliveryTable(database);
      const query = new DeliveryQuery(database, this.#options.now);
      const identity = this.#identity();
      if (file === undefined || identity?.startsWith(`${file} `) !== true) throw fileRemoved();
      return {
        database,
        table,
        query,
        retention: new Retention(database, (id) => table.forget(id)),
        identity,
      };
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

  /**
   * Renames a corrupt file, so that it can still be recovered; the next use creates a new one.
   * @throws Error if it cannot be renamed, or was created just now
   */
  #setAside(): void {
    this.#discard();
    const { folder, now, onSetAside } = this.#options;
    const at = now();
    // guard S42: A new file that is corrupt as well is not set aside within a minute.
    if (this.#setAsideAt !== undefined && Math.abs(at - this.#setAsideAt) < setAsideAgainMs)
      throw systemError('EIO', 'the disk gives back other bytes than were written');
    const time = new Date(at).toISOString().replaceAll(/[:.]/g, '-');
    const isTaken = fs.existsSync(join(folder, `deliveries-broken-${time}.sqlite`));
    const end = isTaken ? `-${randomBytes(4).toString('hex')}` : '';
    const aside = join(folder, `deliveries-broken-${time}${end}.sqlite`);
    for (const part of fileEnds) {
      if (fs.existsSync(this.#path + part)) fs.renameSync(this.#path + part, aside + part);
    }
    this.#setAsideAt = at;
    onSetAside(aside);
  }
}

function fileRemoved(): Error {
  return systemError('ENOENT', 'the file of the deliveries has been removed');
}

/** The latest time that a date can hold, and the largest number that is read exactly, either way from 0. */
const time = 'BETWEEN -8640000000000000 AND 8640000000000000';
const number = `BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`;

/** Rows that this code never writes, and cannot read: one such row would hide all others. */
const impossibleRows = `
  SELECT 1 FROM deliveries WHERE NOT (seq ${number} AND received_at ${time} AND revision ${number}
    AND arrived_revision ${number} AND answered ${number} AND bytes ${number}
    AND answer_bytes ${number} AND verdict IN (${listed(verdicts)})
    AND standing IN ('verified', 'accepted', 'refused'))
  UNION ALL SELECT 1 FROM deliveries d WHERE NOT EXISTS (SELECT 1 FROM bodies b WHERE b.seq = d.seq)
  UNION ALL SELECT 1 FROM attempts WHERE NOT (number ${number} AND at ${time} AND kind IN (${listed(attemptKinds)})
    AND coalesce(status, 0) ${number} AND duration_ms ${number})
  UNION ALL SELECT 1 FROM answers WHERE NOT coalesce(bytes, 0) ${number}
  UNION ALL SELECT 1 FROM runs WHERE NOT (number ${number} AND started_at ${time})
  UNION ALL SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM counters WHERE name = 'revision' AND value ${number}
    AND value >= (SELECT coalesce(max(revision), 0) FROM deliveries))
  UNION ALL SELECT 1 FROM repeats WHERE NOT (number ${number} AND until ${number} AND coalesce(status, 0) ${number})
  UNION ALL SELECT 1 FROM sqlite_sequence WHERE NOT (typeof(seq) = 'integer' AND seq ${number})`;

/**
 * Checks a file that may have been damaged while no program used it. Damage that is found only later would take along
 * what was acknowledged since.
 * @throws Error that says that the file is broken
 */
function checkSoundness(database: DatabaseSync): void {
  const isSound =
    // Unlike `quick_check`, it compares the indexes, by which deliveries are listed.
    valueOf(database, 'PRAGMA integrity_check(1)') === 'ok' &&
    database.prepare('PRAGMA foreign_key_check').get() === undefined &&
    database.prepare(`${impossibleRows} LIMIT 1`).get() === undefined;
  if (!isSound) throw brokenFile('the file of the deliveries is broken');
}

/** The minimum time between two reports, in milliseconds. */
const everyMs = 60_000;

/** Reports how many waiting deliveries were deleted before they were forwarded: at once first, then rate-limited. */
class Unforwarded {
  readonly #now: () => number;
  readonly #tell: (count: number) => void;
  #unreported = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  /** @param now a clock in Unix milliseconds */
  constructor(now: () => number, tell: (count: number) => void) {
    this.#now = now;
    this.#tell = tell;
  }

  add(count: number): void {
    this.#unreported += count;
    if (count > 0 && this.#now() - this.#toldAt >= everyMs) this.flush();
  }

  /** Reports the deletions that the rate limit held back. */
  flush(): void {
    if (this.#unreported === 0) return;
    this.#tell(this.#unreported);
    this.#unreported = 0;
    this.#toldAt = this.#now();
  }
}
