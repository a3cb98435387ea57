import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type * as NodeSqlite from 'node:sqlite';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';

/** The size to which the write-ahead log is truncated after a checkpoint, in bytes. */
const logBytes = 16 * 1024 * 1024;
/** How long a statement waits for other programs that use the file, in milliseconds. */
const busyMs = 5000;

/** What the names of a SQLite file and of the files beside it end with. */
export const fileEnds = ['', '-journal', '-wal', '-shm'] as const;

/** SQL for a parameter that takes bytes: Node 22 binds an array of no bytes as NULL. */
export const bytesParameter = "coalesce(?, x'')";

/**
 * Opens a SQLite file, creating it if it is missing.
 * @throws UserError if this Node has no SQLite; otherwise SQLite's own error
 */
export function openFile(path: string, readOnly = false): NodeSqlite.DatabaseSync {
  // Undefined in a Node before 22.13, whatever the types say.
  const sqlite = process.getBuiltinModule('node:sqlite') as typeof NodeSqlite | undefined;
  if (sqlite !== undefined) return new sqlite.DatabaseSync(path, { readOnly });
  const { node } = process.versions;
  throw new UserError(
    t('Deliveries are kept in SQLite, which Node {0} does not have. Update the editor.', node),
  );
}

/** Opens a SQLite file for reading only, without a trace where no program has it open. */
export function openForReading(path: string): NodeSqlite.DatabaseSync {
  // A file with a log may be in use: then the log is read as well, under a lock.
  if (existsSync(`${path}-wal`)) return openFile(path, true);
  try {
    return openFile(`${pathToFileURL(path).href}?immutable=1`, true);
  } catch {
    // An older Node takes no such address. SQLite then leaves an empty log.
    return openFile(path, true);
  }
}

/** Opens a SQLite file like {@link openFile}, set up so that every commit is on the disk when it returns. */
export function openDatabase(path: string): NodeSqlite.DatabaseSync {
  const database = openFile(path);
  try {
    database.exec(`
      PRAGMA busy_timeout = ${busyMs};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA cache_size = -2000;
      PRAGMA journal_size_limit = ${logBytes};
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Rolls back the open transaction, if there is one: some errors end it by themselves.
 * @returns false if it is still open, so that no other can begin; before Node 22.16, which does not tell, always true
 */
export function rollBack(
  database: Pick<NodeSqlite.DatabaseSync, 'exec'> & Partial<NodeSqlite.DatabaseSync>,
): boolean {
  try {
    database.exec('ROLLBACK');
    return true;
  } catch {
    return database.isOpen !== true || database.isTransaction !== true;
  }
}

/**
 * Writes the log to the file and empties it, if no other program uses the file: it waits for none.
 * @returns whether the log is empty
 */
export function emptyLog(database: NodeSqlite.DatabaseSync): boolean {
  database.exec('PRAGMA busy_timeout = 0');
  try {
    return valueOf(database, 'PRAGMA wal_checkpoint(TRUNCATE)') === 0;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${busyMs}`);
  }
}

/** The first column of the first row that the statement returns. */
export function valueOf(database: NodeSqlite.DatabaseSync, sql: string): unknown {
  return Object.values(database.prepare(sql).get() ?? {})[0];
}

/** Names as the list after IN. */
export function listed(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
