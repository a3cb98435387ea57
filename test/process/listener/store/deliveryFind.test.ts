import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { DeliveryFilter } from '../../../../src/deliveries/deliveryFilter.ts';
import { parseFind } from '../../../../src/deliveries/find/findQuery.ts';
import type { KeptDelivery } from '../../../../src/deliveries/keptDelivery.ts';
import { Random } from '../../../support/random/random.ts';
import { fitsFilter } from '../../../support/deliveries/fitsFilter.ts';
import { add, kept, refused, StoreRig } from '../../../support/listener/storeRig.ts';

/** The clock of the stores here, and when each of `some` came: a minute after the one before. */
const now = 1_790_000_000_000;
const words = ['needle', 'Nadel', 'größe', '50%', 'a_b', '"run_id":', '漢字', '\\', "'", '😀', '$(bug)'];
const apps = ['echo', 'my app', 'größe', 'needle'];

describe('a search of what is kept', () => {
  let rig: StoreRig;
  beforeEach(() => (rig = new StoreRig()));
  afterEach(() => rig.end());

  const stays = () => false;
  const found = async (filter: DeliveryFilter, limit = 1000): Promise<string[]> =>
    (await rig.store(10_000).search(filter, limit, stays)).deliveries.map(({ id }) => id);

  /** Deliveries of all kinds, the oldest first. */
  function some(random: Random, count: number): KeptDelivery[] {
    return Array.from({ length: count }, (_, at) => {
      const text = Array.from({ length: random.whole(0, 6) }, () => random.of(words)).join(
        random.of(['', ' ']),
      );
      const body = [
        Buffer.from(`${'x'.repeat(66_000)}${text}`),
        Buffer.from([0xff, ...Buffer.from(text)]),
        Buffer.from(text),
        Buffer.from(JSON.stringify({ run_id: `Run-${at % 40}`, text })),
      ][Math.min(3, random.whole(0, 60))];
      const changed: Partial<KeptDelivery> = {
        receivedAt: now - (count - at) * 60_000,
        path: random.of(['/', '/hooks?needle=1']),
        ...(at % 5 === 0 && { madeOf: 'run' }),
        ...(body !== undefined && { body }),
        rawHeaders: [
          ...['X-Request-Id', `r-${at}`, 'X-Trace', random.of(['needle', 'a_b', '50%', 'x'])],
          ...random.of([[], ['Authorization', 'Bearer needle'], ['X-Acme-Webhook-Signature', 'v1,needle']]),
        ],
      };
      const verdict = random.of(['verified', 'verified', 'mismatch', 'unsigned'] as const);
      return verdict === 'verified'
        ? kept(`d${at}`, changed)
        : verdict === 'mismatch'
          ? kept(`d${at}`, { ...changed, verdict, standing: 'refused', answered: 401 })
          : kept(`d${at}`, { ...changed, verdict, standing: 'accepted' });
    });
  }

  it('finds what the view would show of the same deliveries, and counts it, for whatever is typed', async function () {
    this.timeout(60_000);
    const random = new Random(19);
    const here = rig.store(10_000);
    add(here, ...some(random, 1500));
    for (let at = 0; at < 1500; at += 3) here.note({ id: `d${at}`, appName: random.of(apps) });
    for (let at = 0; at < 1500; at += 2) {
      const status = random.of([200, 204, 404, 500, 0]);
      const attempt = {
        kind: 'forward',
        to: 'http://a',
        durationMs: 1,
        ...(status > 0 && { status }),
      } as const;
      here.note({ id: `d${at}`, attempt });
    }
    here.flush();
    here.page({}, 1);
    const all = await here.newest(10_000);
    assert.equal(all.length, 1500);

    const typed = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...words, ...apps.map((app) => `app:"${app}"`)) },
      fc.constantFrom(
        'made:here',
        'failed',
        'refused',
        'verdict:verified',
        'verdict:mismatch',
        'verdict:unsigned',
        'verdict:stale',
      ),
      fc.constantFrom(
        'status:500',
        'status:4xx',
        'status:2xx',
        'run:run-1',
        'run:RUN-39',
        'since:40m',
        'since:1d',
      ),
      fc.constantFrom(
        'header:x-trace',
        'header:X-Trace=NEEDLE',
        'header:authorization=needle',
        'header:none',
      ),
      fc.constantFrom('"bearer needle"', 'v1,needle', 'r-7', 'hooks?', 'ne', '%', '_', '\0'),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    );
    const queries = fc.array(typed, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '));
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(queries, fc.constantFrom(1, 7, 100), async (query, limit) => {
        const { filter } = parseFind(query);
        const fitting = all.filter((one) => fitsFilter(one, filter, now)).map(({ id }) => id);
        const result = await here.search(filter, limit, stays);
        assert.deepEqual(
          result.deliveries.map(({ id }) => id),
          fitting.slice(0, limit),
          query,
        );
        assert.deepEqual(
          [result.hits, result.hasAllHits, result.hasMore, result.kept],
          [fitting.length, true, fitting.length > limit, 1500],
          query,
        );
        hits += fitting.length === 0 ? 0 : 1;
      }),
      { numRuns: 150 },
    );
    assert.ok(hits > 50, `${hits} found something`);
  });

  it('finds one among 500 by a header', async () => {
    const here = rig.store(10_000);
    add(
      here,
      ...Array.from({ length: 500 }, (_, at) =>
        kept(`d${at}`, { rawHeaders: ['X-Request-Id', `r-${at}`, 'X-Order', `order-${at}`] }),
      ),
    );
    assert.deepEqual(await found({ header: { name: 'x-order', value: 'ORDER-77' } }), ['d77']);
    assert.deepEqual(await found({ text: 'order-77' }), ['d77']);
  });

  it('tells the apps of all that are kept', async () => {
    const here = rig.store();
    add(
      here,
      kept('a'),
      kept('b', { rawHeaders: ['X-Trace', '1', 'Content-Type', 'text/plain'] }),
      kept('c'),
    );
    here.note({ id: 'a', appName: 'echo' });
    here.note({ id: 'c', appName: 'another' });
    const { apps: named } = await here.search({ text: 'text/plain' }, 10, stays);
    assert.deepEqual(named, ['another', 'echo']);
  });

  it('looks into no header that lets somebody in', async () => {
    const rawHeaders = ['Authorization', 'Bearer letmein', 'Cookie', 'session=letmein', 'X-Trace', 'x'];
    add(rig.store(), kept('a', { rawHeaders }));
    assert.deepEqual(await found({ text: 'letmein' }), []);
    assert.deepEqual(await found({ header: { name: 'cookie', value: 's' } }), []);
    assert.deepEqual(await found({ header: { name: 'cookie' } }), ['a']);
  });

  describe('of large bodies', () => {
    const large = (at: number): KeptDelivery =>
      kept(`d${at}`, { body: Buffer.from(`${'x'.repeat(400 * 1024)}${at === 0 ? 'needle' : ''}`) });

    it('has what arrives meanwhile kept before it ends', async () => {
      const here = rig.store();
      for (let at = 0; at < 60; at += 1) add(here, large(at));
      const seen = { isDone: false, kept: 0 };
      const search = here.search({ text: 'needle' }, 10, stays).finally(() => (seen.isDone = true));
      for (let at = 0; !seen.isDone; at += 1) {
        here.add(
          kept(`n${at}`),
          () => (seen.kept += seen.isDone ? 0 : 1),
          (error) => assert.fail(error),
        );
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.deepEqual(
        (await search).deliveries.map(({ id }) => id),
        ['d0'],
      );
      assert.ok(seen.kept >= 3, `${seen.kept} were kept meanwhile`);
    });

    it('ends soon after nobody waits for it any more', async () => {
      const here = rig.store();
      for (let at = 0; at < 20; at += 1) add(here, large(at));
      let asked = 0;
      const { hasAllHits, hits } = await here.search({ text: 'needle' }, 10, () => (asked += 1) > 3);
      assert.deepEqual([hits, hasAllHits], [0, false]);
    });

    it('ends with the store, which stays closed', async () => {
      const here = rig.store();
      for (let at = 0; at < 20; at += 1) add(here, large(at));
      const search = here.search({ text: 'needle' }, 10, stays);
      here.close();
      rig.removeFolder();
      assert.equal((await search).hasAllHits, false);
      assert.deepEqual([rig.hasFolder, rig.problems], [false, []]);
    });

    it('ends where the file is another one meanwhile', async () => {
      const here = rig.store();
      for (let at = 0; at < 20; at += 1) add(here, large(at));
      const search = here.search({ text: 'needle' }, 10, stays);
      rig.removeFolder();
      add(here, refused('r'));
      assert.deepEqual((await search).deliveries, []);
      assert.deepEqual(rig.setAside, []);
    });
  });
});
