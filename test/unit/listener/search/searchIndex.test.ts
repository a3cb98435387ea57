import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { openDatabase, valueOf } from '../../../../src/listener/store/database.ts';
import type { DeliveryStore } from '../../../../src/listener/store/deliveryStore.ts';
import { perBlock } from '../../../../src/listener/search/blockMarks.ts';
import { slotsOf } from '../../../../src/listener/search/trigrams.ts';
import { StoreFile } from '../../../../src/listener/store/storeFile.ts';
import type { DeliveryFilter } from '../../../../src/model/deliveries/deliveryFilter.ts';
import type { KeptDelivery } from '../../../../src/webhooks/deliveries/keptDelivery.ts';
import { Random } from '../../../support/random/random.ts';
import {
  add,
  downgradeToVersion2,
  ids,
  kept,
  refused,
  StoreRig,
} from '../../../support/listener/storeRig.ts';

/** What texts are made of: what has several cases, what means something to SQLite, what takes several bytes. */
const pieces = [
  ...[
    'a',
    'B',
    'run',
    'ID',
    '0',
    '77',
    ' ',
    '\n',
    '"',
    '%',
    '_',
    '\\',
    "'",
    '[',
    '*',
    '\0',
    '\u0130',
    '\u212a',
  ],
  ...[
    'ä',
    'Ä',
    'ß',
    'ẞ',
    'σ',
    'Σ',
    'ς',
    'é',
    'e\u0301',
    '漢',
    '字',
    '😀',
    '😁',
    '\ud83d',
    'needle',
    'Response',
  ],
];

describe('a search', () => {
  let rig: StoreRig;
  let file: StoreFile;
  beforeEach(() => {
    rig = new StoreRig();
    file = new StoreFile({
      folder: rig.folder,
      now: Date.now,
      onSetAside: (path) => assert.fail(path),
    });
  });
  afterEach(() => {
    file.close();
    rig.end();
  });

  /** Has all marked that can be. */
  const fill = (): void => {
    file.read(() => undefined);
    while (file.fillIndex());
  };
  const seqs = (filter: DeliveryFilter, limit = 100): number[] =>
    file.read(({ query }) => query.seqs(filter, limit));
  const candidates = (text: string): number[] =>
    file.read(({ search }) => [...search.candidates('verified', slotsOf(text) ?? assert.fail(text))].flat());
  const count = (table: string): number =>
    file.read(({ database }) => Number(valueOf(database, `SELECT count(*) FROM ${table}`)));
  const addMany = (to: DeliveryStore, amount: number, of: (index: number) => KeptDelivery): void => {
    add(to, ...Array.from({ length: amount }, (_, index) => of(index)));
    // What is found out about each is found out before it is marked.
    to.page({}, 1);
  };

  it('gives what reading all gives, whatever is sought and whatever has gone', function () {
    this.timeout(60_000);
    const random = new Random(17);
    const text = (most: number): string =>
      Array.from({ length: random.whole(0, most) }, () => random.of(pieces)).join('');
    const body = (): Buffer => {
      const kind = random.whole(0, 300);
      if (kind === 0) return Buffer.from(`${'x'.repeat(66_000)}${text(20)}`);
      if (kind < 30) return Buffer.from([0xff, ...Buffer.from(text(20))]);
      return Buffer.from(kind < 90 ? JSON.stringify({ run_id: text(5), response: text(20) }) : text(40));
    };
    const here = rig.store(2400);
    const one = (index: number): KeptDelivery => {
      const changed = { body: body(), path: `/${random.of(['Hook', 'orders', '%25'])}` };
      const rawHeaders = [
        'X-Request-Id',
        `r${index}`,
        'X-Caf\u00e9',
        random.of(['needle', '\u00c4\u00ff', 'b_']),
      ];
      if (index % 3 !== 0) return kept(`v${index}`, { ...changed, rawHeaders });
      const standing = random.of(['accepted', 'refused'] as const);
      return kept(`n${index}`, {
        ...changed,
        rawHeaders,
        standing,
        verdict: random.of(['mismatch', 'stale']),
      });
    };
    addMany(here, 2600, one);
    fill();
    for (let index = 0; index < 2600; index += 7) {
      here.note({ id: `v${index}`, appName: random.of(['Echo', 'needle', 'größe', 'a%b']) });
    }
    addMany(here, 500, (index) => one(index + 2600));
    assert.ok(count('search_blocks') >= 1);

    let found = 0;
    for (let round = 0; round < 200; round += 1) {
      const sought = random.of([
        () => text(3),
        () => text(8),
        () => random.of(['r1077', 'HOOK', 'größ', 'echo']),
      ])();
      const filter: DeliveryFilter = {
        text: random.of([sought, sought.toUpperCase(), sought.toLowerCase()]),
        ...(random.whole(0, 4) === 0 && { verdict: random.of(['verified', 'mismatch', 'unsigned']) }),
        ...(random.whole(0, 4) === 0 && { app: random.of(['Echo', 'needle', 'none']) }),
      };
      const limit = random.of([1, 10, 5000]);
      const before = random.of([Number.MAX_SAFE_INTEGER, random.whole(1, 3100)]);
      file.read(({ query }) => {
        const expected = query.seqsByReading(filter, limit, before);
        assert.deepEqual(
          query.seqs(filter, limit, before),
          expected,
          JSON.stringify({ filter, limit, before }),
        );
        found += expected.length === 0 ? 0 : 1;
      });
    }
    assert.ok(found > 50 && found < 195, `${found} found something`);
  });

  it('looks into those alone that may hold the text', () => {
    const body = (text: string): Buffer => Buffer.from(`{"response":"${text}"}`);
    addMany(rig.store(10_000), 2 * perBlock, (index) =>
      kept(`d${index}`, { body: body(index === 500 ? 'GRÖSSE der Nadel' : `an answer, the ${index}th`) }),
    );
    fill();
    assert.equal(count('search_blocks'), 2);
    assert.equal(seqs({ text: 'größe'.replace('ß', 'ss') }).length, 1);
    for (const text of ['der nadel', 'ÖSSE']) assert.ok(candidates(text).length < 20, text);
    assert.ok(candidates('neither here nor there').length < 20);
    assert.equal(candidates('response').length, 2 * perBlock);
  });

  it('reads what is not marked: what is new, and what is too long', () => {
    const long = Buffer.from(`${'x'.repeat(65 * 1024)}needle`);
    const here = rig.store(10_000);
    addMany(here, perBlock, (index) => (index === 7 ? kept('long', { body: long }) : kept(`d${index}`)));
    fill();
    assert.deepEqual(seqs({ text: 'needle' }), [8]);
    add(here, kept('new', { body: Buffer.from('needle') }));
    assert.deepEqual(seqs({ text: 'needle' }), [perBlock + 1, 8]);
  });

  it('finds by an app that became known after the delivery was marked', () => {
    const here = rig.store(10_000);
    addMany(here, perBlock, (index) => kept(`d${index}`));
    fill();
    here.note({ id: 'd3', appName: 'Échange' });
    here.flush();
    assert.deepEqual(
      [seqs({ text: 'change' }), seqs({ text: 'échange' }), seqs({ app: 'Échange' })],
      [[4], [4], [4]],
    );
  });

  it('keeps nothing of what has gone: pushed out by what is newer, or cleared', () => {
    const here = rig.store(perBlock);
    addMany(here, perBlock, (index) => kept(`d${index}`));
    for (let at = 0; at < 200; at += 1) add(here, refused(`r${at}`));
    fill();
    const marksOfOne = count('search_marks');
    assert.deepEqual([count('search_blocks'), marksOfOne > 0], [1, true]);
    addMany(here, perBlock, (index) => kept(`e${index}`));
    fill();
    assert.deepEqual([count('search_blocks'), count('search_marks')], [1, marksOfOne]);
    assert.ok(ids(here).every((id) => id.startsWith('e')));
    here.clear();
    assert.deepEqual([count('search_blocks'), count('search_marks')], [0, 0]);
  });

  it('finds what an older version has kept, before and after it is marked', () => {
    const here = rig.store(10_000);
    addMany(here, perBlock, (index) => kept(`d${index}`, { verdict: index === 5 ? 'stale' : 'verified' }));
    here.close();
    const database = openDatabase(rig.file);
    database.exec(downgradeToVersion2);
    database.exec(`DROP TABLE search_blocks; DROP TABLE search_marks; DROP INDEX by_app; DROP INDEX by_verdict;
      PRAGMA user_version = 1`);
    database.close();
    const found = (): number[][] => [seqs({ text: '"D777"' }), seqs({ verdict: 'stale' })];
    assert.deepEqual(found(), [[778], [6]]);
    fill();
    assert.equal(count('search_blocks'), 1);
    assert.deepEqual(found(), [[778], [6]]);
  });

  it('does not bring back a folder that was removed', () => {
    addMany(rig.store(10_000), perBlock, (index) => kept(`d${index}`));
    file.read(() => undefined);
    rig.removeFolder();
    assert.equal(file.fillIndex(), false);
    assert.equal(rig.hasFolder, false);
  });

  describe('is made ready', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());

    it('after the answers, a part at a time', () => {
      addMany(rig.store(10_000), perBlock, (index) => kept(`d${index}`));
      assert.equal(count('search_blocks'), 0);
      for (let ms = 0; ms < 1000; ms += 10) mock.timers.tick(10);
      assert.equal(count('search_blocks'), 1);
    });

    it('with pauses for the answers, until there is no more to do, or it is closed', () => {
      let left = 3;
      let parts = 0;
      class Filled extends StoreFile {
        override fillIndex(): boolean {
          parts += 1;
          left -= 1;
          if (left === 1) throw new Error('the disk is full');
          return left > 0;
        }
      }
      const filled = new Filled({
        folder: rig.folder,
        now: Date.now,
        onSetAside: (path) => assert.fail(path),
      });
      const change = (): void => filled.write(() => undefined);
      change();
      change();
      mock.timers.tick(100);
      assert.equal(parts, 1);
      mock.timers.tick(10);
      assert.equal(parts, 2, 'which failed');
      mock.timers.tick(1000);
      assert.equal(parts, 2);
      change();
      mock.timers.tick(1000);
      assert.equal(parts, 3);
      change();
      filled.close();
      mock.timers.tick(1000);
      assert.equal(parts, 3);
    });
  });
});
