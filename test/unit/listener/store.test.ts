import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DeliveryStore } from '../../../src/listener/store/deliveryStore.ts';
import type { AttemptKind } from '../../../src/contract/delivery.ts';
import { openFile, rollBack, valueOf } from '../../../src/listener/store/database.ts';
import { StoreProblem } from '../../../src/listener/store/storeProblem.ts';
import { systemError } from '../../../src/listener/store/storeError.ts';
import { add, kept, StoreRig } from '../../support/listener/storeRig.ts';
import { TestClock } from '../../support/time/testClock.ts';

const app = 'http://127.0.0.1:3000/hook';

describe('the attempts of a delivery', () => {
  let rig: StoreRig;
  let here: DeliveryStore;
  beforeEach(() => {
    rig = new StoreRig();
    here = rig.store();
    add(here, kept('a'));
  });
  afterEach(() => rig.end());

  function attempt(id: string, kind: AttemptKind, status: number | undefined, to = app): void {
    const outcome = status === undefined ? { error: 'ECONNREFUSED' } : { status };
    here.note({ id, attempt: { kind, to, durationMs: 3, ...outcome } });
    here.flush();
  }
  const repeat = (id: string) => ({ ...kept(id, { rawHeaders: ['X-Request-Id', 'r-a'] }), repeatOf: 'a' });

  it('are kept, the oldest first, also by a program that comes later; the last is how it stands', () => {
    attempt('a', 'forward', 500);
    attempt('a', 'replay', undefined);
    attempt('a', 'signedAnew', 200);
    const later = rig.store();
    const at = '2026-09-21T14:13:20.000Z';
    const attempts = [
      { at, kind: 'forward', to: app, status: 500, durationMs: 3 },
      { at, kind: 'replay', to: app, durationMs: 3, error: 'ECONNREFUSED' },
      { at, kind: 'signedAnew', to: app, status: 200, durationMs: 3 },
    ];
    for (const delivery of [later.get('a'), later.page({}, 1).deliveries[0]]) {
      assert.deepEqual(delivery?.attempts, attempts);
      assert.deepEqual(delivery.forward, attempts[2]);
    }
  });

  it('are absent where it never was handed over', () => {
    const delivery = here.get('a');
    assert.ok(!('forward' in delivery) && !('attempts' in delivery));
  });

  it('of a repeat have the app of its first, which a window told that is gone', () => {
    here.note({ id: 'a', appName: 'echo' });
    here.flush();
    const later = rig.store();
    add(later, repeat('a2'));
    assert.equal(later.get('a2').appName, 'echo');
  });

  it('make a change that windows are told of', () => {
    const revision = here.revision ?? 0;
    attempt('a', 'replay', 200);
    const told = here
      .changedAfter(revision, 9)
      .map(({ delivery }) => delivery.attempts?.map(({ kind }) => kind));
    assert.deepEqual(told, [['replay']]);
  });

  it('are the last 20, and whether the local app took it as it arrived is known beyond them', () => {
    attempt('a', 'forward', 204);
    for (let status = 400; status < 425; status += 1) attempt('a', 'replay', status);
    const statuses = here.get('a').attempts?.map(({ status }) => status);
    assert.deepEqual(
      statuses,
      Array.from({ length: 20 }, (_, at) => 405 + at),
    );
    assert.equal(here.acceptedStatus('a'), 204);
  });

  it('say that the local app took it where they reached the address that it was forwarded to, and not another', () => {
    attempt('a', 'forward', 500);
    attempt('a', 'replay', 200, 'http://127.0.0.1:9999/');
    assert.equal(here.acceptedStatus('a'), undefined);
    attempt('a', 'replay', 202);
    assert.equal(here.acceptedStatus('a'), 202);
  });

  it('say nothing of whether it was taken where it was edited, or its signature left out', () => {
    attempt('a', 'forward', 500);
    attempt('a', 'edited', 200);
    attempt('a', 'unsigned', 200);
    assert.equal(here.acceptedStatus('a'), undefined);
    assert.deepEqual(here.failed(), ['a']);
    attempt('a', 'replay', 200);
    attempt('a', 'edited', 401);
    attempt('a', 'unsigned', 401);
    assert.equal(here.acceptedStatus('a'), 200);
    assert.deepEqual(here.failed(), []);
    assert.equal(here.get('a').forward?.status, 200);
    assert.deepEqual(here.page({ failed: true }, 10).deliveries, []);
  });

  describe('say what is still refused', () => {
    it('by the last of them', () => {
      add(here, kept('b'), kept('c'), kept('d'));
      for (const id of ['c', 'b', 'a']) attempt(id, 'forward', id === 'c' ? undefined : 500);
      assert.deepEqual(here.failed(), ['a', 'b', 'c'], 'the oldest first, and none that never was tried');
      attempt('b', 'replay', 200);
      assert.deepEqual(here.failed(), ['a', 'c']);
      attempt('b', 'replay', 503);
      assert.deepEqual(here.failed(), ['a', 'b', 'c']);
    });

    it('once of what repeats each other, and not where a repeat was taken', () => {
      attempt('a', 'forward', 500);
      add(here, repeat('a2'));
      attempt('a2', 'forward', 500);
      assert.deepEqual(here.failed(), ['a2']);
      attempt('a', 'replay', 200);
      assert.deepEqual(here.failed(), []);
    });
  });

  it('are not noted any more once the store was closed', () => {
    here.close();
    rig.removeFolder();
    attempt('a', 'replay', 200);
    assert.equal(rig.hasFolder, false);
  });
});

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

describe('a problem with the deliveries', () => {
  let told: (string | undefined)[];
  let clock: TestClock;
  let problem: StoreProblem;
  beforeEach(() => {
    told = [];
    clock = new TestClock();
    problem = new StoreProblem({ isOpen: true }, (error) => told.push(error?.message), clock);
  });
  const full = (path = 'a') => systemError('ENOSPC', `no space for ${path}`);

  it('is told once while it stays, however many requests meet it, and whatever file it names', () => {
    for (let time = 0; time < 2000; time += 1) problem.is(full(`file ${time}`));
    assert.deepEqual(told, ['ENOSPC: no space for file 0']);
    problem.over();
    problem.over();
    assert.deepEqual(told.slice(1), [undefined]);
  });

  it('is told again where it is another', () => {
    problem.is(full());
    problem.is(systemError('EIO', 'broken'));
    problem.is(full());
    problem.over();
    assert.deepEqual(told, ['ENOSPC: no space for a', 'EIO: broken', undefined]);
  });

  it('is told twice where it comes and goes with each request, and as over once it stays away', () => {
    for (let time = 0; time < 2000; time += 1) {
      problem.is(full());
      problem.over();
      clock.advance(5);
    }
    assert.deepEqual(told, ['ENOSPC: no space for a', undefined, 'ENOSPC: no space for a']);
    clock.advance(10_000);
    assert.deepEqual(told.slice(3), [undefined]);
    clock.advance(10_000);
    problem.is(full());
    problem.over();
    assert.equal(told.length, 6, 'long afterwards it is a new one');
  });

  it('is told of no more kinds than can be read', () => {
    for (let time = 0; time < 2000; time += 1) problem.is(new Error(`text ${time}`));
    assert.equal(told.length, 20);
  });
});
