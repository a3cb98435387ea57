import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { openFile, rollBack, valueOf } from '../../../../src/listener/store/database.ts';

describe('what is open of a transaction', () => {
  let database: DatabaseSync;
  beforeEach(() => {
    database = openFile(':memory:');
    database.exec('CREATE TABLE one (n); BEGIN; INSERT INTO one VALUES (1)');
  });

  it('is undone, also in a Node that does not tell whether there is one (22.13 to 22.15)', () => {
    const older = { exec: (sql: string) => database.exec(sql) };
    rollBack(older);
    assert.equal(valueOf(database, 'SELECT count(*) FROM one'), 0);
    database.exec('BEGIN; COMMIT');
  });

  it('may be gone already, and the database with it', () => {
    database.exec('COMMIT');
    rollBack(database);
    assert.equal(valueOf(database, 'SELECT count(*) FROM one'), 1);
    database.close();
    rollBack(database);
  });
});
