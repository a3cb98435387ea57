import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { repeatHash } from '../../../../src/listener/store/repeatTable.ts';
import type { DeliveryStore } from '../../../../src/listener/store/deliveryStore.ts';
import { openDatabase } from '../../../../src/listener/store/database.ts';
import { add, ids, kept, refused, StoreRig } from '../../../support/listener/storeRig.ts';
import { Random } from '../../../support/random/random.ts';
import { seed } from '../../../support/random/seed.ts';

/** `RUNHOOK_DAMAGE_ROUNDS=2000 npm run test:unit -- --grep damaged` runs it at length. */
const rounds = Number(process.env['RUNHOOK_DAMAGE_ROUNDS'] ?? 30);
const pageBytes = 4096;

/** Damages that a disk, a copy or a program does to a file. */
const damages: Readonly<Record<string, (bytes: Buffer, random: Random) => Buffer>> = {
  'a bit': (bytes, random) => {
    const at = random.whole(0, bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.whole(0, 8));
    return bytes;
  },
  'some bytes': (bytes, random) => {
    for (let left = 20; left > 0; left -= 1) bytes[random.whole(0, bytes.length)] = random.whole(0, 256);
    return bytes;
  },
  'a stretch of zeros': (bytes, random) => {
    const at = random.whole(0, bytes.length);
    return bytes.fill(0, at, Math.min(bytes.length, at + random.whole(1, 5000)));
  },
  'the end': (bytes, random) => bytes.subarray(0, random.whole(0, bytes.length)),
  'two pages that were exchanged': (bytes, random) => {
    const pages = Math.floor(bytes.length / pageBytes);
    if (pages === 0) return bytes;
    const [one, other] = [random.whole(0, pages) * pageBytes, random.whole(0, pages) * pageBytes];
    const page = Buffer.from(bytes.subarray(one, one + pageBytes));
    bytes.copy(bytes, one, other, other + pageBytes);
    page.copy(bytes, other);
    return bytes;
  },
};

describe('a file of deliveries that is damaged while no program uses it', () => {
  let rig: StoreRig;
  /** Folders of a store that is open, so that a part of it is in the log, and of one that was closed. */
  let [open, closed] = ['', ''];

  before(() => {
    const whole = new StoreRig();
    [open, closed] = [`${whole.folder}-open`, `${whole.folder}-closed`];
    const store = whole.store();
    fill(store);
    fs.cpSync(whole.folder, open, { recursive: true });
    store.close();
    fs.cpSync(whole.folder, closed, { recursive: true });
    whole.end();
  });
  after(() => {
    for (const folder of [open, closed]) fs.rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    rig = new StoreRig();
  });
  afterEach(() => rig.end());

  function comesFrom(folder: string): void {
    rig.removeFolder();
    fs.cpSync(folder, rig.folder, { recursive: true });
  }

  function fill(store: DeliveryStore): void {
    for (let at = 0; at < 40; at += 1) {
      const id = `d${at}`;
      const waiting = at % 7 === 0 ? { forwardTo: 'http://127.0.0.1/' } : {};
      add(store, at % 5 === 4 ? refused(id) : kept(id, { body: Buffer.alloc(300 * at, id), ...waiting }));
      if (at % 3 === 0) noteAnswer(store, id);
      store.noteRun({ runId: `run-${id}`, appName: 'app', startedAt: 1_790_000_000_000 });
    }
    store.flush();
  }

  function noteAnswer(store: DeliveryStore, id: string): void {
    const attempt = { kind: 'forward', to: 'http://127.0.0.1/', status: 500, durationMs: 3 } as const;
    store.note({ id, attempt, answer: { rawHeaders: ['A', 'b'], body: Buffer.from('no'), bytes: 2 } });
    store.flush();
  }

  /** Keeps some deliveries, and checks that they are listed, whoever asks, now and after a restart. */
  function keepsAll(what: string): void {
    const names = Array.from({ length: 10 }, (_, at) => `new-${at}`);
    const here = rig.store();
    assert.deepEqual(
      add(here, ...names.map((name) => kept(name))),
      names.map(() => true),
      what,
    );
    noteAnswer(here, 'new-3');
    const { body } = kept('d3');
    here.firstOf({ path: '/', hash: repeatHash('r-d3', body) });
    here.endForwards(() => undefined);
    const listed = (store: DeliveryStore): string[] => ids(store).filter((id) => id.startsWith('new-'));
    assert.deepEqual(listed(here).reverse(), names, what);
    const found = here.page({ text: '"id":"new-' }, 100).deliveries.map(({ id }) => id);
    assert.deepEqual(found.reverse(), names, what);
    assert.deepEqual(
      names.map((name) => here.get(name).id),
      names,
      what,
    );
    here.close();
    const next = rig.store();
    assert.deepEqual(add(next, kept('new-next')), [true], what);
    assert.deepEqual(listed(next).reverse(), [...names, 'new-next'], what);
    next.close();
  }

  it(`keeps and lists all that comes afterwards, ${rounds} times; seed ${seed}`, async function () {
    this.timeout(rounds * 10_000);
    const random = new Random(seed);
    for (let round = 0; round < rounds; round += 1) {
      comesFrom(random.of([open, closed]));
      const name = random.of(fs.readdirSync(rig.folder));
      const [damage, happen] = random.of(Object.entries(damages));
      const path = join(rig.folder, name);
      fs.writeFileSync(path, happen(fs.readFileSync(path), random));
      keepsAll(`round ${round}: ${damage} of ${name}`);
      // Yields, so that the timeout of the test can end it.
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it('keeps and lists all that comes afterwards, also where a row says what nobody has written', () => {
    const changes = [
      'UPDATE deliveries SET received_at = 9e17 WHERE seq = 3',
      'UPDATE deliveries SET answered = 1 << 60 WHERE seq = 3',
      'UPDATE deliveries SET arrived_revision = 1 << 60 WHERE seq = 3',
      "UPDATE deliveries SET verdict = 'veripied' WHERE seq = 3",
      "UPDATE deliveries SET standing = 'other' WHERE seq = 3",
      'UPDATE attempts SET at = 9e17 WHERE number = 1',
      "UPDATE attempts SET kind = 'other' WHERE number = 1",
      'UPDATE answers SET bytes = 1 << 60',
      'UPDATE runs SET started_at = 1 << 60',
      'DELETE FROM bodies WHERE seq = 3',
      'PRAGMA foreign_keys = OFF; UPDATE bodies SET seq = 43 WHERE seq = 3',
      'PRAGMA foreign_keys = OFF; UPDATE attempts SET number = (1 << 62) WHERE number = 1',
      "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'deliveries'",
      'UPDATE counters SET value = 9223372036854775807',
      'UPDATE counters SET value = 3',
      "INSERT INTO repeats (hash, first, path_hash, until) VALUES (x'00', 'd', x'', 1 << 60)",
      'DELETE FROM counters',
    ];
    for (const change of changes) {
      comesFrom(closed);
      const database = openDatabase(rig.file);
      database.exec(change);
      database.close();
      keepsAll(change);
    }
  });
});

describe('a disk that gives back other bytes than were written', () => {
  it('is said to be broken, and is not filled with files that are set aside', () => {
    const rig = new StoreRig();
    const here = rig.store();
    add(here, kept('a'));
    for (let time = 0; time < 5; time += 1) {
      fs.writeFileSync(`${rig.file}.new`, 'other bytes '.repeat(1000));
      fs.renameSync(`${rig.file}.new`, rig.file);
      assert.deepEqual(add(here, kept('b')), [false]);
      rig.clock += 1000;
    }
    assert.equal(rig.setAside.length, 1);
    assert.match(rig.problems.at(-1) ?? '', /EIO/);
    rig.clock += 60_000;
    add(here, kept('c'));
    assert.deepEqual(add(here, kept('d')), [true]);
    assert.equal(rig.setAside.length, 2);
    rig.end();
  });
});
