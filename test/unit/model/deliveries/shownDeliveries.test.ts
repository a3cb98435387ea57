import assert from 'node:assert/strict';
import type { Delivery } from '../../../../src/model/deliveries/delivery.ts';
import { fitsFilter } from '../../../../src/model/deliveries/deliveryFilter.ts';
import { ShownDeliveries } from '../../../../src/model/deliveries/shownDeliveries.ts';
import { deliveryOf } from '../../../support/deliveries/deliveryOf.ts';
import { searchResult } from '../../../support/deliveries/searchResult.ts';

const now = Date.parse('2026-11-20T13:00:00.000Z');

/** The deliveries that a listener keeps, and the view over them. */
class Kept {
  keep = 1000;
  #count = 0;
  /** Newest first. */
  deliveries: Delivery[] = [];
  /** Reads wait for it, where it is set. */
  held: Promise<void> | undefined;
  readonly shown = new ShownDeliveries(
    async (filter, limit) => {
      const fitting = this.deliveries.filter((one) => fitsFilter(one, filter, now));
      const found = searchResult(fitting.slice(0, limit), {
        hasMore: fitting.length > limit,
        hits: fitting.length,
        kept: this.deliveries.length,
      });
      await this.held;
      return found;
    },
    () => this.keep,
    () => now,
  );

  /** Takes in deliveries as the listener does: it keeps them, then tells of them. */
  async arrive(count: number, more: Partial<Delivery> = {}): Promise<void> {
    let taken = Promise.resolve();
    for (const end = this.#count + count; this.#count < end;) {
      this.#count += 1;
      const delivery = deliveryOf(`d-${this.#count}`, more);
      this.deliveries = [delivery, ...this.deliveries].slice(0, this.keep);
      taken = this.shown.add(delivery);
    }
    await taken;
  }

  get ids(): string[] {
    return this.shown.groups().map(({ first }) => first.id);
  }
}

describe('the deliveries that are shown', () => {
  it('are the newest 200, and 200 more with each "Load more…"', async () => {
    const kept = new Kept();
    kept.deliveries = Array.from({ length: 450 }, (_, index) => deliveryOf(`d-${450 - index}`));
    await kept.shown.load();
    assert.equal(kept.ids.length, 200);
    assert.deepEqual([kept.ids[0], kept.ids[199]], ['d-450', 'd-251']);
    assert.equal(kept.shown.hasMore, true);
    await kept.shown.loadMore();
    assert.deepEqual([kept.ids.length, kept.shown.hasMore], [400, true]);
    await kept.shown.loadMore();
    assert.deepEqual([kept.ids.length, kept.shown.hasMore], [450, false]);
    assert.equal(kept.ids.at(-1), 'd-1');
  });

  it('are not more for a burst: the oldest go behind "Load more…"', async () => {
    const kept = new Kept();
    await kept.shown.load();
    await kept.arrive(200);
    assert.deepEqual([kept.ids.length, kept.shown.hasMore], [200, false]);
    await kept.arrive(1);
    assert.deepEqual([kept.ids.length, kept.shown.hasMore], [200, true]);
    assert.equal(kept.ids[0], 'd-201');
    await kept.shown.loadMore();
    assert.deepEqual([kept.ids.length, kept.shown.hasMore], [201, false]);
  });

  it('are never more than are kept, and then there is no more to load', async () => {
    const kept = new Kept();
    kept.keep = 50;
    await kept.shown.load();
    await kept.arrive(60);
    assert.deepEqual([kept.ids.length, kept.shown.hasMore], [50, false]);
  });

  it('reach the 1,000 that are kept by default', async () => {
    const kept = new Kept();
    await kept.shown.load();
    await kept.arrive(1200);
    for (let clicks = 0; kept.shown.hasMore; clicks += 1) {
      assert.ok(clicks < 10, 'there is always more');
      await kept.shown.loadMore();
    }
    assert.equal(kept.ids.length, 1000);
    await kept.arrive(10);
    assert.deepEqual([kept.ids.length, kept.shown.hasMore], [1000, false]);
  });

  it('hold what arrives while they are being read, each once', async () => {
    const kept = new Kept();
    await kept.arrive(3);
    let release = (): void => undefined;
    kept.held = new Promise((resolve) => (release = resolve));
    const loading = kept.shown.load();
    const arrived = kept.arrive(2);
    release();
    await Promise.all([loading, arrived]);
    assert.deepEqual(kept.ids, ['d-5', 'd-4', 'd-3', 'd-2', 'd-1']);
    // One that the page holds already, because it came just before the page was read.
    kept.held = Promise.resolve();
    const again = kept.shown.load();
    await kept.shown.add(deliveryOf('d-5'));
    await again;
    assert.deepEqual(kept.ids, ['d-5', 'd-4', 'd-3', 'd-2', 'd-1']);
  });

  it('are those of the last of several loads that overlap', async () => {
    const kept = new Kept();
    await kept.arrive(2);
    let release = (): void => undefined;
    kept.held = new Promise((resolve) => (release = resolve));
    const slow = kept.shown.load();
    kept.held = undefined;
    kept.deliveries = [];
    const last = kept.shown.load();
    release();
    await Promise.all([slow, last]);
    assert.deepEqual(kept.ids, []);
  });

  it('are those that fit the filter, of old ones and new ones', async () => {
    const kept = new Kept();
    await kept.arrive(300);
    await kept.arrive(1, { verdict: 'mismatch' });
    await kept.shown.filterBy({ verdict: 'mismatch' });
    assert.deepEqual([kept.ids, kept.shown.hasMore], [['d-301'], false]);
    await kept.arrive(1);
    await kept.arrive(1, { verdict: 'mismatch' });
    assert.deepEqual(kept.ids, ['d-303', 'd-301']);
    await kept.shown.filterBy({});
    assert.equal(kept.ids.length, 200);
  });

  it('have repeats under their first, the oldest repeat first', async () => {
    const kept = new Kept();
    await kept.arrive(1, { requestId: 'r' });
    await kept.arrive(1);
    await kept.arrive(2, { repeatOf: 'd-1' });
    assert.deepEqual(
      kept.shown.groups().map(({ first, repeats }) => [first.id, ...repeats.map(({ id }) => id)]),
      [['d-2'], ['d-1', 'd-3', 'd-4']],
    );
    await kept.shown.load();
    assert.deepEqual(
      kept.shown.groups()[1]?.repeats.map(({ id }) => id),
      ['d-3', 'd-4'],
    );
  });

  it('have a repeat for itself where its first is not there', async () => {
    const kept = new Kept();
    await kept.arrive(1);
    await kept.arrive(1, { repeatOf: 'gone' });
    assert.deepEqual(kept.ids, ['d-2', 'd-1']);
  });

  it('take in what got known of a delivery, in its place', async () => {
    const kept = new Kept();
    await kept.arrive(2);
    await kept.shown.change(deliveryOf('d-1', { runId: 'r-1' }));
    await kept.shown.change(deliveryOf('z'));
    assert.deepEqual(
      kept.shown.groups().map(({ first }) => [first.id, first.runId]),
      [
        ['d-2', undefined],
        ['d-1', 'r-1'],
      ],
    );
  });

  it('are counted, of all that are kept', async () => {
    const kept = new Kept();
    await kept.arrive(3);
    await kept.arrive(2, { appName: 'echo' });
    await kept.shown.filterBy({ app: 'echo' });
    const hits = () => [kept.shown.hits.hits, kept.shown.hits.kept];
    assert.deepEqual(hits(), [2, 5]);
    await kept.arrive(1);
    await kept.arrive(1, { appName: 'echo' });
    assert.deepEqual(hits(), [3, 7]);
    // Told once more, as after a lost connection.
    await kept.shown.add(deliveryOf('d-7', { appName: 'echo' }));
    assert.deepEqual(hits(), [3, 7]);
  });

  it('come and go with what the app made of them', async () => {
    const kept = new Kept();
    await kept.shown.filterBy({ refused: true });
    const at = (second: number) => `2026-11-20T12:00:0${second}.000Z`;
    const changed = async (second: number, status?: number): Promise<void> => {
      const forward = { to: 'http://localhost:3000', durationMs: 1, ...(status && { status }) };
      await kept.shown.change(deliveryOf(`d-${second}`, { receivedAt: at(second), forward }));
    };
    for (const second of [1, 2, 3]) await kept.arrive(1, { receivedAt: at(second) });
    assert.deepEqual(kept.ids, []);
    await changed(3, 500);
    await changed(1);
    await changed(2, 200);
    assert.deepEqual([kept.ids, kept.shown.hits.hits], [['d-3', 'd-1'], 2]);
    await changed(3, 200);
    await changed(3, 200);
    assert.deepEqual([kept.ids, kept.shown.hits.hits], [['d-1'], 1]);
  });

  it('are never those of an older search, whenever that is answered', async () => {
    const kept = new Kept();
    await kept.arrive(1, { appName: 'a' });
    await kept.arrive(1, { appName: 'b' });
    const held = Promise.withResolvers<undefined>();
    kept.held = held.promise.then(() => undefined);
    const slow = kept.shown.filterBy({ app: 'a' });
    kept.held = undefined;
    const fast = kept.shown.filterBy({ app: 'b' });
    const seen: string[][] = [];
    const look = () => seen.push(kept.ids);
    held.resolve(undefined);
    await Promise.all([slow.then(look), fast.then(look)]);
    assert.deepEqual(seen, [['d-2', 'd-1'], ['d-2']]);
  });
});
