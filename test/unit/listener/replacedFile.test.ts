import assert from 'node:assert/strict';
import fs from 'node:fs';
import { join } from 'node:path';
import { add, ids, kept, StoreRig } from '../../support/listener/storeRig.ts';

describe('the file of the deliveries, replaced while it is open', () => {
  let rig: StoreRig;
  beforeEach(() => {
    rig = new StoreRig();
  });
  afterEach(() => rig.end());

  it('is not mixed with the log of the one before, which is whole under its new name', () => {
    const backup = join(rig.folder, 'backup.sqlite');
    const first = rig.store();
    add(first, kept('a'));
    first.close();
    fs.copyFileSync(rig.file, backup);
    const here = rig.store();
    add(here, kept('b'), kept('c'));
    const moved = join(rig.folder, 'moved.sqlite');
    fs.renameSync(rig.file, moved);
    fs.renameSync(backup, rig.file);
    assert.deepEqual(add(here, kept('d')), [true]);
    assert.deepEqual(ids(here), ['d', 'a']);
    assert.deepEqual(rig.setAside, []);
    here.close();
    fs.renameSync(moved, rig.file);
    assert.deepEqual(ids(rig.store()), ['c', 'b', 'a']);
  });
});

describe('what is noted of a delivery while nothing can be written', () => {
  it('is written once it can: the local app is not asked twice', () => {
    const rig = new StoreRig();
    const here = rig.store();
    add(here, kept('a'));
    const aside = `${rig.folder}-aside`;
    fs.renameSync(rig.folder, aside);
    fs.writeFileSync(rig.folder, 'a file');
    here.note({ id: 'a', attempt: { kind: 'forward', to: 'http://127.0.0.1/', status: 200, durationMs: 3 } });
    here.flush();
    assert.equal(here.acceptedStatus('a'), undefined);
    fs.rmSync(rig.folder);
    fs.renameSync(aside, rig.folder);
    assert.equal(here.acceptedStatus('a'), 200);
    rig.end();
  });
});
