import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Delivery } from '../../../src/contract/delivery.ts';
import type { News } from '../../../src/deliveries/listenerProtocol.ts';
import { DeliveryFeed, Unkept } from '../../../src/listener/program/deliveryFeed.ts';
import { FolderLock } from '../../../src/listener/program/folderLock.ts';
import { HeldSecrets, Program } from '../../../src/listener/program/program.ts';
import { Lifetime } from '../../../src/listener/program/lifetime.ts';
import { newSocketPath, removeSocket } from '../../../src/shared/rpc/socketPath.ts';
import { add, kept, StoreRig } from '../../support/listener/storeRig.ts';
import { waitFor } from '../../support/time/waitFor.ts';
import { defaultSecret } from '../../support/listener/defaultSecret.ts';
import { TestClock } from '../../support/time/testClock.ts';

const asToldNow = (delivery: Delivery): Delivery => delivery;

describe('the feed of a window', () => {
  let rig: StoreRig;
  beforeEach(() => {
    rig = new StoreRig();
  });
  afterEach(() => rig.end());

  it('does not open a store again that was closed while it told', async () => {
    const store = rig.store();
    let fail: ((reason: Error) => void) | undefined;
    const feed = new DeliveryFeed({
      store,
      asToldNow,
      after: 0,
      send: () => new Promise((_, reject) => (fail = reject)),
    });
    add(store, kept('a'));
    feed.changed();
    const breakOff = await waitFor('the message', () => fail);
    feed.close();
    store.close();
    rig.removeFolder();
    breakOff(new Error('The window has gone.'));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(rig.hasFolder, false);
  });

  it('tells of deliveries in the order in which they came, whatever was noted since', () => {
    const store = rig.store();
    const feed = new DeliveryFeed({ store, asToldNow, after: 0, send: () => Promise.resolve() });
    add(store, kept('a'), kept('b'), kept('c'));
    store.note({ id: 'b', attempt: { kind: 'forward', to: 'http://127.0.0.1:1', durationMs: 1 } });
    store.note({ id: 'a', answered: 503 });
    store.flush();
    assert.deepEqual(
      feed.next()?.arrived.map(({ id, answered, attempts = [] }) => [id, answered, attempts.length]),
      [
        ['a', 503, 0],
        ['b', 200, 1],
        ['c', 200, 0],
      ],
    );
  });

  it('has nothing more to tell once what had changed was cleared', async () => {
    const store = rig.store();
    const feed = new DeliveryFeed({ store, asToldNow, after: 0, send: () => Promise.resolve() });
    add(store, kept('a'));
    store.clear();
    let isDone = false;
    // It makes room once all is told.
    store.trim = () => void (isDone = true);
    feed.changed();
    await waitFor('the end of what it tells', () => isDone);
    feed.close();
  });

  describe('while the file of the deliveries cannot be read', () => {
    /** Puts a file in place of the folder. @returns what puts the folder back */
    const away = (): (() => void) => {
      const aside = `${rig.folder}-aside`;
      fs.renameSync(rig.folder, aside);
      fs.writeFileSync(rig.folder, 'a file');
      return () => {
        fs.rmSync(rig.folder);
        fs.renameSync(aside, rig.folder);
      };
    };
    const told = (news: News | undefined) =>
      news && [news.arrived.map(({ id }) => id), news.changed.map(({ id }) => id)];
    const send = () => Promise.resolve();

    it('takes it for no new store, also where it was never read', () => {
      const store = rig.store();
      add(store, kept('a'), kept('b'));
      const feed = new DeliveryFeed({ store, asToldNow, after: 0, send });
      const last = feed.next();
      assert.equal(last?.arrived.length, 2);
      store.close();
      const back = away();
      const later = rig.store();
      const next = new DeliveryFeed({ store: later, asToldNow, after: last.revision, send });
      assert.equal(next.next(), undefined);
      back();
      add(later, kept('c'));
      assert.deepEqual(told(next.next()), [['c'], []]);
    });

    it('tells one that begins then of nothing that was kept before', () => {
      const first = rig.store();
      add(first, kept('a'), kept('b'));
      first.close();
      const back = away();
      const store = rig.store();
      const feed = new DeliveryFeed({ store, asToldNow, after: store.revision, send });
      assert.equal(feed.next(), undefined);
      back();
      assert.equal(feed.next(), undefined);
      add(store, kept('c'));
      assert.deepEqual(told(feed.next()), [['c'], []]);
    });

    it('tells what came before that, as soon as it can be read again', async () => {
      const store = rig.store();
      const all: News[] = [];
      const feed = new DeliveryFeed({
        ...{ store, asToldNow, after: store.revision },
        send: (news) => Promise.resolve(all.push(news)),
      });
      add(store, kept('a'));
      const back = away();
      feed.changed();
      await waitFor('the turn that cannot read', () => rig.problems.length > 0);
      back();
      await waitFor('the news', () => all.length > 0);
      assert.deepEqual(told(all[0]), [['a'], []]);
      feed.close();
    });
  });
});

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

describe('the secrets of several windows', () => {
  const [a, b, old] = [defaultSecret('a'), defaultSecret('b'), defaultSecret('a', 1)];
  const [one, other] = [{}, {}];

  it('are those of all, each once, the last told first', () => {
    const held = new HeldSecrets();
    held.set(one, [a, old]);
    held.set(other, [b, a]);
    assert.deepEqual(held.all(), [b, a, old]);
    held.set(other, []);
    assert.deepEqual(held.all(), [a, old], 'one that holds none takes none away');
  });

  it('stay when the last window leaves, until another tells some', () => {
    const held = new HeldSecrets();
    held.set(one, [a]);
    held.leave(one);
    assert.deepEqual(held.all(), [a]);
    held.set(other, []);
    assert.deepEqual(held.all(), [a]);
    held.set(other, [b]);
    assert.deepEqual(held.all(), [b]);
    held.set(other, []);
    assert.deepEqual(held.all(), [], 'it has removed its own');
  });

  it('go with a window that leaves while others hold some', () => {
    const held = new HeldSecrets();
    held.set(one, [a]);
    held.set(other, [b]);
    held.leave(one);
    assert.deepEqual(held.all(), [b]);
  });
});

describe('how long the listener program goes on', () => {
  let clock: TestClock;
  let lifetime: Lifetime;
  let keepAliveMs: number;
  /** When the last run was started, where it awaits its delivery. */
  let awaited: number;
  let ended: number;
  beforeEach(() => {
    clock = new TestClock();
    [keepAliveMs, awaited, ended] = [60_000, Number.NEGATIVE_INFINITY, 0];
    lifetime = new Lifetime({
      keepAliveMs: () => keepAliveMs,
      awaitsSince: (startedAt) => awaited > startedAt,
      onEnd: () => (ended += 1),
      say: () => undefined,
      clock,
    });
  });

  it('is while a window is there, and so long after the last one', () => {
    lifetime.start(20_000);
    lifetime.hold();
    clock.advance(100_000_000);
    assert.equal(ended, 0);
    lifetime.left();
    clock.advance(59_999);
    assert.equal(ended, 0);
    clock.advance(1);
    assert.equal(ended, 1);
  });

  it('is a day at most: a timer for a month would be over at once', () => {
    keepAliveMs = 30 * 86_400_000;
    lifetime.left();
    clock.advance(86_399_999);
    assert.equal(ended, 0);
    clock.advance(1);
    assert.equal(ended, 1);
  });

  it('begins anew with a window that comes meanwhile', () => {
    lifetime.hold();
    lifetime.left();
    clock.advance(59_000);
    lifetime.hold();
    clock.advance(100_000);
    lifetime.left();
    clock.advance(59_000);
    assert.equal(ended, 0);
  });

  it('is longer while a run awaits its delivery, an hour at most', () => {
    awaited = clock.now();
    lifetime.hold();
    lifetime.left();
    clock.advance(30 * 60_000);
    assert.equal(ended, 0);
    awaited = Number.NEGATIVE_INFINITY;
    clock.advance(5000);
    assert.equal(ended, 1);
    awaited = clock.now();
    lifetime.hold();
    lifetime.left();
    clock.advance(59 * 60_000);
    assert.equal(ended, 1);
    clock.advance(2 * 60_000);
    assert.equal(ended, 2);
  });

  it('stops with the last window where that is wished, whatever is awaited', () => {
    keepAliveMs = 0;
    awaited = clock.now();
    lifetime.hold();
    lifetime.left();
    clock.advance(0);
    assert.equal(ended, 1);
  });

  it('is short where no window ever comes', () => {
    lifetime.start(20_000);
    clock.advance(20_000);
    assert.equal(ended, 1);
  });
});

describe('the port of the listener program', () => {
  it('is one, however many ask for it at once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runhook-port-'));
    const program = new Program({
      folder,
      version: '1.2.3',
      waitMs: 0,
      guardFile: '',
      onEnded: () => undefined,
    });
    assert.equal(await program.start(), true);
    try {
      const ports = await Promise.all([program.listen(0), program.listen(0), program.listen(0)]);
      assert.equal(new Set(ports).size, 1);
      await program.listener.close();
      await assert.rejects(fetch(`http://127.0.0.1:${ports[0]}`, { method: 'POST' }));
    } finally {
      await program.end('stopped');
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the path of the socket of the listener program', () => {
  const name = 'XDG_RUNTIME_DIR';
  const before = process.env[name];
  afterEach(() => {
    if (before === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = before;
  });

  it('is elsewhere where the folder that the system names cannot be made', () => {
    process.env[name] = '/dev/null/1000';
    assert.ok(newSocketPath('/a/folder').startsWith(tmpdir()));
  });

  it('is in a new folder, whatever others have made before, and leaves nothing of an earlier program', () => {
    const parent = (process.env[name] = mkdtempSync(join(tmpdir(), 'x')));
    try {
      const first = newSocketPath('/a/folder');
      writeFileSync(first, '');
      const [own = ''] = readdirSync(parent);
      assert.equal(statSync(dirname(first)).mode & 0o777, 0o700);
      const squatted = join(parent, own.replace(/.{6}$/, 'others'));
      symlinkSync('/', squatted);
      writeFileSync(`${squatted}2`, '');
      const others = newSocketPath('/another/folder');
      const inContainer = newSocketPath('/a/folder', '1:2');
      const second = newSocketPath('/a/folder');
      assert.notEqual(second, first);
      assert.equal(existsSync(dirname(first)), false);
      for (const stays of [dirname(others), dirname(inContainer), dirname(second), `${squatted}2`])
        assert.ok(existsSync(stays));
      removeSocket(second);
      assert.equal(existsSync(dirname(second)), false);
    } finally {
      rmSync(parent, { recursive: true });
    }
  });

  it('is elsewhere where it would be too long for a socket', () => {
    process.env[name] = mkdtempSync(join(tmpdir(), 'x'.repeat(80)));
    try {
      const path = newSocketPath('/a/folder');
      assert.ok(Buffer.byteLength(path) < 104, path);
    } finally {
      rmSync(process.env[name], { recursive: true });
    }
  });
});

describe('what a window is told of requests that are not kept', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const refused = { at, status: 405, method: 'GET', reason: 'a delivery must be a POST' } as const;
  let clock: TestClock;
  let unkept: Unkept;
  let times: number;
  beforeEach(() => {
    clock = new TestClock();
    times = 0;
    unkept = new Unkept(clock, () => (times += 1));
  });
  /** How many lines it comes to, and how many requests the last of them stands for. */
  const told = (): [lines: number, overflow: number] => {
    const {
      refused: away,
      brokenOff,
      overflow,
    } = unkept.take() ?? { refused: [], brokenOff: [], overflow: 0 };
    return [away.length + brokenOff.length, overflow];
  };

  it('is each of them, once', () => {
    unkept.add(refused);
    unkept.add({ at, bytes: 812 });
    assert.deepEqual(unkept.take(), { refused: [refused], brokenOff: [{ at, bytes: 812 }], overflow: 0 });
    assert.equal(unkept.take(), undefined);
    assert.equal(times, 2);
  });

  it('is no more than twenty a minute, and how many more there were', () => {
    for (let minute = 0; minute < 3; minute += 1) {
      for (let count = 0; count < 100_000; count += 1) unkept.add({ at, bytes: count });
      assert.deepEqual(told(), [20, 0]);
      clock.advance(60_000);
      assert.deepEqual(told(), [0, 99_980]);
    }
    assert.equal(times, 3 * 21);
  });

  it('holds no more than that for a window that is too busy to be told', () => {
    for (let minute = 0; minute < 3; minute += 1) {
      for (let count = 0; count < 25; count += 1) unkept.add(refused);
      clock.advance(60_000);
    }
    const [lines, overflow] = told();
    assert.equal(lines + overflow, 75);
    assert.equal(lines, 20);
  });

  it('is nothing after a minute without any, and nothing ticks on', () => {
    unkept.add(refused);
    told();
    clock.advance(60_000);
    assert.equal(clock.nextIn, undefined);
    assert.equal(times, 1);
    unkept.add(refused);
    unkept.close();
    unkept.add(refused);
    assert.equal(clock.nextIn, undefined);
  });
});
