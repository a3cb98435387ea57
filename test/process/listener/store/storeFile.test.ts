import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../../../src/listener/store/database.ts';
import { repeatHash } from '../../../../src/listener/store/repeatTable.ts';
import { add, ids, kept, StoreRig } from '../../../support/listener/storeRig.ts';

describe('the deliveries of a folder that goes wrong', () => {
  let rig: StoreRig;
  beforeEach(() => {
    rig = new StoreRig();
  });
  afterEach(() => rig.end());

  it('are acknowledged in no file but the one that has the name: removed, and made anew', () => {
    const here = rig.store();
    assert.deepEqual(add(here, kept('a')), [true]);
    fs.rmSync(rig.folder, { recursive: true });
    assert.deepEqual(add(here, kept('b')), [true], 'in a new file');
    assert.deepEqual(ids(rig.store()), ['b']);
  });

  it('are lost, and said to be, where the file goes while they are written', () => {
    const here = rig.store();
    add(here, kept('a'));
    const { statSync } = fs;
    // The folder goes between the commit and the look at it.
    let looks = 0;
    const spied = (path: string, options: object): unknown => {
      looks += 1;
      if (looks === 3) fs.rmSync(rig.folder, { recursive: true });
      return statSync(path, options);
    };
    Object.assign(fs, { statSync: spied });
    syncBuiltinESMExports();
    try {
      assert.deepEqual(add(here, kept('b')), [false]);
    } finally {
      Object.assign(fs, { statSync });
      syncBuiltinESMExports();
    }
    assert.match(rig.problems.at(-1) ?? '', /ENOENT/);
    assert.deepEqual(add(here, kept('c')), [true]);
    assert.equal(rig.problems.at(-1), undefined, 'it has recovered');
  });

  const whileOpened: readonly [title: string, happen: () => void][] = [
    ['goes', () => fs.rmSync(rig.folder, { recursive: true })],
    [
      'is replaced',
      () => {
        fs.writeFileSync(`${rig.file}.new`, '');
        fs.renameSync(`${rig.file}.new`, rig.file);
      },
    ],
  ];
  for (const [title, happen] of whileOpened) {
    it(`are lost, and said to be, where the file ${title} while it is opened`, () => {
      const here = rig.store();
      fs.rmSync(rig.folder, { recursive: true });
      const prepare = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, 'prepare')!;
      const spied = function (this: DatabaseSync, sql: string): unknown {
        if (!sql.startsWith('PRAGMA')) {
          Object.defineProperty(DatabaseSync.prototype, 'prepare', prepare);
          happen();
        }
        return (prepare.value as DatabaseSync['prepare']).call(this, sql);
      };
      Object.defineProperty(DatabaseSync.prototype, 'prepare', { ...prepare, value: spied });
      assert.deepEqual(add(here, kept('a')), [false]);
      assert.match(rig.problems.at(-1) ?? '', /ENOENT/);
      assert.deepEqual(add(here, kept('b')), [true]);
      assert.deepEqual(ids(rig.store()), ['b']);
    });
  }

  it('are not acknowledged where it cannot be made, and again once it can', () => {
    fs.rmSync(rig.folder, { recursive: true });
    fs.writeFileSync(rig.folder, 'a file');
    const here = rig.store();
    assert.match(rig.problems.at(-1) ?? '', /EEXIST|ENOTDIR/);
    assert.deepEqual(add(here, kept('a')), [false]);
    fs.rmSync(rig.folder);
    assert.deepEqual(add(here, kept('b')), [true]);
    assert.equal(rig.problems.at(-1), undefined);
  });

  it('have no count while it cannot be read: nobody takes that for a new file', () => {
    const here = rig.store();
    add(here, kept('a'), kept('b'));
    assert.notEqual(here.revision, undefined);
    fs.rmSync(rig.folder, { recursive: true });
    fs.writeFileSync(rig.folder, 'a file');
    assert.equal(here.revision, undefined);
    fs.rmSync(rig.folder);
    assert.equal(here.revision, 0, 'of the file that is made anew');
  });

  it('are not said to be lost where they could not be read once', () => {
    const here = rig.store();
    add(here, kept('a'));
    const { statSync } = fs;
    const fails = (): never => {
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    };
    Object.assign(fs, { statSync: fails });
    syncBuiltinESMExports();
    try {
      assert.deepEqual(ids(here), []);
    } finally {
      Object.assign(fs, { statSync });
      syncBuiltinESMExports();
    }
    assert.deepEqual(rig.problems, []);
    assert.deepEqual(ids(here), ['a']);
  });

  it('cannot be kept while the file cannot be opened, which is said once, and can as soon as it is read', () => {
    const here = rig.store();
    add(here, kept('a'));
    const aside = `${rig.folder}-aside`;
    fs.renameSync(rig.folder, aside);
    fs.writeFileSync(rig.folder, 'a file');
    assert.deepEqual([ids(here), ids(here)], [[], []]);
    assert.equal(rig.problems.length, 1);
    assert.match(rig.problems[0] ?? '', /EEXIST|ENOTDIR/);
    fs.rmSync(rig.folder);
    fs.renameSync(aside, rig.folder);
    assert.deepEqual(ids(here), ['a']);
    assert.deepEqual(rig.problems.slice(1), [undefined]);
  });

  it('cannot be kept until one of them is, though they can be read', () => {
    const here = rig.store();
    add(here, kept('a'));
    const database = openDatabase(rig.file);
    database.exec(`CREATE TRIGGER full BEFORE INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'full'); END`);
    assert.deepEqual(add(here, kept('b')), [false]);
    here.trim();
    assert.deepEqual(ids(here), ['a']);
    assert.deepEqual(rig.problems, ['full']);
    database.exec('DROP TRIGGER full');
    database.close();
    assert.deepEqual(add(here, kept('c')), [true]);
    assert.deepEqual(rig.problems.slice(1), [undefined]);
  });

  it('can be kept again after a disk that refused even to undo what was begun', () => {
    const here = rig.store();
    const exec = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, 'exec')!;
    const spied = function (this: DatabaseSync, sql: string): void {
      const fails = sql === 'COMMIT' || sql === 'ROLLBACK';
      if (fails) throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
      (exec.value as DatabaseSync['exec']).call(this, sql);
    };
    Object.defineProperty(DatabaseSync.prototype, 'exec', { ...exec, value: spied });
    try {
      assert.deepEqual(add(here, kept('a')), [false]);
    } finally {
      Object.defineProperty(DatabaseSync.prototype, 'exec', exec);
    }
    assert.deepEqual(add(here, kept('b')), [true]);
    assert.deepEqual(ids(here), ['b']);
  });

  it('are cleared on a full disk, which takes no deletion either: what stays is what is known of runs and repeats', () => {
    const here = rig.store();
    const { body } = kept('a');
    const hash = repeatHash('r-a', body);
    add(here, { ...kept('a'), recognised: { hash, until: Number.MAX_SAFE_INTEGER } }, kept('b'));
    here.noteRun({ runId: 'run', appName: 'app', startedAt: rig.clock });
    here.flush();
    const revision = here.revision ?? 0;
    // Held open, so that no other file gets its number.
    const held = fs.openSync(rig.file, 'r');
    const { ino } = fs.fstatSync(held);
    const exec = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, 'exec')!;
    // There is room as soon as the file has gone.
    const spied = function (this: DatabaseSync, sql: string): void {
      const isFull = sql === 'COMMIT' && fs.statSync(rig.file).ino === ino;
      if (isFull) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
      (exec.value as DatabaseSync['exec']).call(this, sql);
    };
    Object.defineProperty(DatabaseSync.prototype, 'exec', { ...exec, value: spied });
    try {
      assert.deepEqual(add(here, kept('c')), [false]);
      here.clear();
      assert.deepEqual(add(here, kept('d')), [true]);
    } finally {
      fs.closeSync(held);
      Object.defineProperty(DatabaseSync.prototype, 'exec', exec);
    }
    assert.deepEqual(ids(here), ['d']);
    assert.ok(
      (here.revision ?? 0) > revision,
      'windows that know an earlier delivery are told of what comes',
    );
    assert.equal(here.awaitedSince(0), 1);
    assert.equal(here.firstOf({ path: '/', hash })?.id, 'a');
    assert.deepEqual(rig.problems, ['ENOSPC: database or disk is full', undefined]);
  });

  it('are kept under a name that says so where the file is broken', () => {
    const here = rig.store();
    add(here, kept('a'));
    here.close();
    fs.writeFileSync(rig.file, 'this is no database, and never was one'.repeat(100));
    const next = rig.store();
    assert.deepEqual(add(next, kept('b')), [true]);
    assert.deepEqual(ids(next), ['b']);
    assert.equal(rig.setAside.length, 1);
    assert.match(fs.readFileSync(rig.setAside[0]!, 'utf8'), /never was one/);
  });

  it('are kept under a name that says so where the file has a version that is none', () => {
    for (const version of [-1, 2_000_000_000]) {
      const here = rig.store();
      add(here, kept('a'));
      here.close();
      const database = openDatabase(rig.file);
      database.exec(`PRAGMA user_version = ${version}`);
      database.close();
      assert.deepEqual(add(rig.store(), kept('b')), [true], String(version));
    }
    assert.equal(new Set(rig.setAside).size, 2);
    for (const path of rig.setAside) assert.ok(fs.existsSync(path), path);
  });

  it('are not touched where a newer version has kept them', () => {
    const here = rig.store();
    add(here, kept('a'));
    here.close();
    const database = openDatabase(rig.file);
    database.exec('PRAGMA user_version = 99');
    database.close();
    const older = rig.store();
    assert.match(rig.problems.at(-1) ?? '', /newer version of Runhook/);
    assert.deepEqual(add(older, kept('b')), [false]);
    assert.deepEqual(rig.setAside, []);
  });
});
