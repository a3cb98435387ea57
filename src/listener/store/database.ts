import { statSync } from 'node:fs';
import type * as NodeSqlite from 'node:sqlite';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';

/** The size to which the write-ahead log is truncated after a checkpoint, in bytes. */
const logBytes = 16 * 1024 * 1024;
/** How long a statement waits for other programs that use the file, in milliseconds. */
const busyMs = 5000;

/** SQL for a parameter that takes bytes: Node 22 binds an array of no bytes as NULL. */
export const bytesParameter = "coalesce(?, x'')";

/**
 * Opens a SQLite file, creating it if it is missing.
 * @throws UserError if this Node has no SQLite; otherwise SQLite's own error
 */
export function openFile(path: string): NodeSqlite.DatabaseSync {
  // Undefined in a Node before 22.13, whatever the types say.
  const sqlite = process.getBuiltinModule('node:sqlite') as typeof NodeSqlite | undefined;
  if (sqlite !== undefined) return new sqlite.DatabaseSync(path);
  const { node } = process.versions;
  throw new UserError(
    t('Deliveries are kept in SQLite, which Node {0} does not have. Update the editor.', node),
  );
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
 * Rolls back the open transaction, if there is one. Some errors end it by themselves, and `isTransaction`, which
 * would tell, does not exist before Node 22.16.
 */
export function rollBack(database: Pick<NodeSqlite.DatabaseSync, 'exec'>): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // No transaction was open.
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

/** Identifies the file that is at the path now, by device and inode number; undefined if there is none. */
export function identityOf(path: string): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  return file && `${file.dev}:${file.ino}`;
}

/** The first column of the first row that the statement returns. */
export function valueOf(database: NodeSqlite.DatabaseSync, sql: string): unknown {
  return Object.values(database.prepare(sql).get() ?? {})[0];
}
