import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FolderLock } from '../../../../src/listener/program/folderLock.ts';

describe('the lock of a folder', () => {
  let folder: string;
  let lock: FolderLock;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-lock-'));
    lock = new FolderLock(folder);
  });
  afterEach(() => {
    lock.release();
    rmSync(folder, { recursive: true });
  });
  const path = () => join(folder, 'lock.sqlite');

  it('is taken by one', async () => {
    assert.equal(await lock.take(0), true);
    assert.equal(await new FolderLock(folder).take(0), false);
  });

  it('is taken where its file is broken, which is made anew', async () => {
    writeFileSync(path(), 'This is no database, and long enough to be read as one.'.repeat(100));
    assert.equal(await lock.take(0), true);
    assert.equal(lock.isHeld, true);
    assert.equal(await new FolderLock(folder).take(0), false);
  });

  it('is not held where its file goes while it is taken', async () => {
    const exec = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, 'exec')!;
    const spied = function (this: DatabaseSync, sql: string): void {
      (exec.value as DatabaseSync['exec']).call(this, sql);
      rmSync(path());
    };
    Object.defineProperty(DatabaseSync.prototype, 'exec', { ...exec, value: spied });
    try {
      assert.equal(await lock.take(0), true);
    } finally {
      Object.defineProperty(DatabaseSync.prototype, 'exec', exec);
    }
    assert.equal(lock.isHeld, false);
    assert.equal(await lock.take(0), true, 'the next look takes it again');
    assert.equal(lock.isHeld, true);
  });

  it('is taken again where its file was removed, unless another has taken it meanwhile', async () => {
    assert.equal(await lock.take(0), true);
    assert.equal(await lock.keep(), true);
    rmSync(path());
    assert.equal(lock.isHeld, false);
    assert.equal(await lock.keep(), true);
    rmSync(path());
    const other = new FolderLock(folder);
    assert.equal(await other.take(0), true);
    assert.equal(await lock.keep(), false);
    other.release();
  });

  it('says in the words of the system why it cannot be taken', async () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file');
    await assert.rejects(lock.take(0), { code: 'EEXIST' });
  });
});
