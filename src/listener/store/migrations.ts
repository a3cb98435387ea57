import type { DatabaseSync } from 'node:sqlite';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { rollBack, valueOf } from './database.ts';
import { pathHash, repeatHash } from './repeatTable.ts';
import { brokenFile } from './storeError.ts';

/** The SQL that upgrades each version of the store to the next; `PRAGMA user_version` counts those applied. */
const migrations: readonly string[] = [
  `
  CREATE TABLE deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Grows with every change of any delivery: what a window has not seen yet is above what it has.
    revision INTEGER NOT NULL,
    arrived_revision INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    received_at INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    standing TEXT NOT NULL,
    answered INTEGER NOT NULL,
    request_id TEXT,
    repeat_of TEXT,
    reason TEXT,
    run_id TEXT,
    app_name TEXT,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    headers TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    is_text INTEGER NOT NULL,
    is_settled INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX by_revision ON deliveries (revision);
  CREATE INDEX by_standing ON deliveries (standing, seq, bytes);
  CREATE INDEX by_request ON deliveries (request_id, bytes) WHERE standing = 'verified';
  CREATE INDEX by_first ON deliveries (repeat_of) WHERE repeat_of IS NOT NULL;
  CREATE INDEX by_run ON deliveries (run_id) WHERE run_id IS NOT NULL;
  CREATE INDEX unsettled ON deliveries (seq) WHERE is_settled = 0;
  CREATE TABLE bodies (
    seq INTEGER PRIMARY KEY REFERENCES deliveries ON DELETE CASCADE,
    body BLOB NOT NULL
  ) STRICT;
  CREATE TABLE attempts (
    number INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL REFERENCES deliveries ON DELETE CASCADE,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    address TEXT NOT NULL,
    status INTEGER,
    duration_ms INTEGER NOT NULL,
    answer TEXT,
    error TEXT
  ) STRICT;
  CREATE INDEX attempts_by_delivery ON attempts (seq);
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE,
    app_name TEXT NOT NULL,
    started_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
  INSERT INTO counters VALUES ('revision', 0);
  `,
  `
  CREATE INDEX by_app ON deliveries (app_name) WHERE app_name IS NOT NULL;
  -- Nearly all verify: those are found without.
  CREATE INDEX by_verdict ON deliveries (verdict) WHERE verdict <> 'verified';
  -- A search index of former versions.
  CREATE TABLE search_blocks (
    block INTEGER PRIMARY KEY,
    standing TEXT NOT NULL,
    -- The delivery that came last of the block.
    last INTEGER NOT NULL,
    -- The numbers of its deliveries, each of eight bytes.
    seqs BLOB NOT NULL
  ) STRICT;
  CREATE TABLE search_marks (
    -- The block, and which part of it.
    place INTEGER PRIMARY KEY,
    marks BLOB NOT NULL
  ) STRICT;
  CREATE TRIGGER marks_go_with_their_block AFTER DELETE ON search_blocks BEGIN
    DELETE FROM search_marks WHERE place BETWEEN OLD.block * 256 AND OLD.block * 256 + 255;
  END;
  `,
  `
  -- What the local app answered to an attempt, as far as it is kept.
  CREATE TABLE answers (
    number INTEGER PRIMARY KEY REFERENCES attempts ON DELETE CASCADE,
    headers TEXT NOT NULL,
    body BLOB NOT NULL,
    -- How many bytes it had; NULL where it did not end.
    bytes INTEGER
  ) STRICT;
  -- How much room those of a delivery take.
  ALTER TABLE deliveries ADD COLUMN answer_bytes INTEGER NOT NULL DEFAULT 0;
  DROP INDEX by_standing;
  CREATE INDEX by_standing ON deliveries (standing, seq, bytes, answer_bytes);
  -- Of former versions.
  ALTER TABLE deliveries ADD COLUMN judged_revision INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Where it waits to be forwarded to; NULL once it was, and where it is not.
  ALTER TABLE deliveries ADD COLUMN forward_to TEXT;
  CREATE INDEX waiting ON deliveries (seq) WHERE forward_to IS NOT NULL;
  CREATE INDEX not_waiting ON deliveries (seq) WHERE forward_to IS NULL AND standing <> 'refused';
  `,
  `
  DROP TABLE search_blocks;
  DROP TABLE search_marks;
  `,
  `
  -- See RepeatTable. It outlives the deliveries.
  CREATE TABLE repeats (
    number INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    first TEXT NOT NULL,
    path_hash BLOB NOT NULL,
    until INTEGER NOT NULL,
    -- With what the local app took it; NULL while it has not.
    status INTEGER
  ) STRICT;
  CREATE INDEX repeats_by_first ON repeats (first);
  CREATE INDEX repeats_by_end ON repeats (until);
  -- The path of the first delivery, where a repeat came by another one.
  ALTER TABLE deliveries ADD COLUMN first_path TEXT;
  `,
  `
  -- What was kept before RepeatTable was there is remembered in it, too.
  INSERT OR IGNORE INTO repeats (hash, first, path_hash, until)
    SELECT repeat_hash(d.request_id, b.body), coalesce(d.repeat_of, d.id), path_hash(coalesce(d.first_path, d.path)),
      ${Number.MAX_SAFE_INTEGER}
    FROM deliveries d JOIN bodies b ON b.seq = d.seq
    WHERE d.standing = 'verified' AND d.request_id IS NOT NULL ORDER BY d.seq;
  -- Each index costs every delivery a page of the log.
  DROP INDEX by_request;
  DROP INDEX by_standing;
  DROP INDEX by_run;
  CREATE TABLE remembered (
    number INTEGER PRIMARY KEY,
    hash BLOB NOT NULL,
    first TEXT NOT NULL,
    path_hash BLOB NOT NULL,
    until INTEGER NOT NULL,
    -- With what the local app took it; NULL while it has not.
    status INTEGER
  ) STRICT;
  INSERT INTO remembered SELECT number, hash, first, path_hash, until, status FROM repeats;
  DROP TABLE repeats;
  ALTER TABLE remembered RENAME TO repeats;
  CREATE INDEX repeats_by_first ON repeats (first);
  CREATE INDEX refused ON deliveries (seq) WHERE standing = 'refused';
  `,
  `
  -- Runhook's own id of the run from whose response it was made here; NULL where it was not.
  ALTER TABLE deliveries ADD COLUMN made_of TEXT;
  -- See MadeTable. It outlives the deliveries.
  CREATE TABLE made (number INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, run TEXT NOT NULL) STRICT;
  `,
  `
  -- Where the handler failed, in JSON; NULL where nothing told it.
  ALTER TABLE attempts ADD COLUMN failed_at TEXT;
  `,
  `
  -- How long it waited at a relay; NULL where it came by itself.
  ALTER TABLE deliveries ADD COLUMN waited_ms INTEGER;
  -- See RelayedTable. It outlives the deliveries.
  CREATE TABLE relayed (
    number INTEGER PRIMARY KEY,
    channel TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (channel, seq, at)
  ) STRICT;
  `,
  `
  -- The attempts of this version may be of the kind 'unsigned', which earlier ones cannot read.
  `,
];

/** A store with a higher version is corrupt. */
const mostVersions = 1000;

/**
 * Whether a store has to be upgraded before this code can read it.
 * @throws UserError if a newer Runhook made it
 */
export function isOfOlderVersion(database: DatabaseSync): boolean {
  const version = Number(valueOf(database, 'PRAGMA user_version'));
  if (version < 0 || version > mostVersions) {
    throw brokenFile(`${version} is no version of the store`);
  }
  if (version > migrations.length) {
    throw new UserError(
      t('The deliveries here were kept by a newer version of Runhook. Update Runhook, or reload the window.'),
      { remedies: [{ kind: 'reloadWindow' }] },
    );
  }
  return version < migrations.length;
}

/**
 * Upgrades a store to the version of this code.
 * @throws UserError if a newer Runhook made it
 */
export function migrate(database: DatabaseSync): void {
  if (!isOfOlderVersion(database)) return;
  database.function('repeat_hash', { deterministic: true }, (requestId, body) =>
    repeatHash(String(requestId), body instanceof Uint8Array ? body : new Uint8Array()),
  );
  database.function('path_hash', { deterministic: true }, (path) => pathHash(String(path)));
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another program may have upgraded it meanwhile.
    const done = Number(valueOf(database, 'PRAGMA user_version'));
    for (const migration of migrations.slice(done)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
  } catch (error) {
    rollBack(database);
    throw error;
  }
}
