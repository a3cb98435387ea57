import type { DatabaseSync } from 'node:sqlite';
import { attemptKinds, verdicts } from '../../model/deliveries/delivery.ts';
import { valueOf } from './database.ts';
import { brokenFile } from './storeError.ts';

/** The latest time that a date can hold, and the largest number that is read exactly, either way from 0. */
const time = 'BETWEEN -8640000000000000 AND 8640000000000000';
const number = `BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`;
const listed = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

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
export function checkSoundness(database: DatabaseSync): void {
  const isSound =
    // Unlike `quick_check`, it compares the indexes, by which deliveries are listed.
    valueOf(database, 'PRAGMA integrity_check(1)') === 'ok' &&
    database.prepare('PRAGMA foreign_key_check').get() === undefined &&
    database.prepare(`${impossibleRows} LIMIT 1`).get() === undefined;
  if (!isSound) throw brokenFile('the file of the deliveries is broken');
}
