import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { add, kept, StoreRig } from '../../../support/listener/storeRig.ts';

const secretText = 'the very body';

describe('deliveries that were cleared while another program reads the file', () => {
  let rig: StoreRig;
  let reader: DatabaseSync;

  beforeEach(() => {
    rig = new StoreRig();
    const here = rig.store();
    for (let at = 0; at < 20; at += 1) {
      add(here, kept(`d${at}`, { body: Buffer.from(secretText.repeat(at * 50 + 1)) }));
    }
    reader = new DatabaseSync(join(rig.folder, 'deliveries.sqlite'), { readOnly: true });
    reader.exec('BEGIN; SELECT count(*) FROM deliveries');
    here.clear();
    assert.equal(here.tidy(), false);
    here.close();
  });
  afterEach(() => {
    if (reader.isOpen) reader.close();
    rig.end();
  });

  const holding = (): string[] =>
    fs.readdirSync(rig.folder).filter((name) => fs.readFileSync(join(rig.folder, name)).includes(secretText));

  it('leave no byte of theirs in any file once it has gone', () => {
    const here = rig.store();
    here.trim();
    assert.notDeepEqual(holding(), []);
    reader.exec('COMMIT');
    assert.equal(here.tidy(), true);
    assert.deepEqual(holding(), []);
  });

  it('leave none either where it has gone after the program', () => {
    reader.close();
    assert.notDeepEqual(holding(), []);
    const here = rig.store();
    here.trim();
    assert.equal(here.tidy(), true);
    assert.deepEqual(holding(), []);
  });
});
