import assert from 'node:assert/strict';
import { Reasons } from '../../../../src/listener/intake/reasons.ts';
import type { DeliveryStore } from '../../../../src/listener/store/deliveryStore.ts';
import { add, kept, refused, StoreRig } from '../../../support/listener/storeRig.ts';
import { waitFor } from '../../../support/time/waitFor.ts';

/** How long the search for one reason takes here, in milliseconds. */
const searchMs = 6;
/** How often forgeries come, how many, and for how long, in milliseconds: 500 a second. */
const everyMs = 20;
const eachTime = 10;
const floodMs = 1000;

describe('the reasons of what a stranger forges', () => {
  let rig: StoreRig;
  let store: DeliveryStore;
  let reasons: Reasons;
  let clock: number;
  let searches: number;
  beforeEach(() => {
    rig = new StoreRig();
    clock = searches = 0;
    store = rig.store();
    reasons = searching(() => {
      searches += 1;
      clock += searchMs;
    }, true);
  });
  afterEach(() => {
    reasons.close();
    rig.end();
  });

  function searching(onSearch: () => void, byClock: boolean): Reasons {
    const reasonFor = ({ verdict }: { verdict: string }): string => {
      onSearch();
      return `it is ${verdict}`;
    };
    return new Reasons({ store, reasonFor, ...(byClock && { workClock: () => clock }) });
  }

  /** Stores deliveries that strangers forged, as the listener does. */
  function forge(...ids: string[]): void {
    add(store, ...ids.map((id) => refused(id)));
    for (const id of ids) reasons.add(id);
  }

  /** What windows are told by their feed: the rows changed after a revision. */
  function told(revision: number) {
    reasons.findSome();
    return store.changedAfter(revision, 1000);
  }

  function page(): void {
    reasons.findSome();
    reasons.listed(store.page({}, 100).deliveries);
  }

  const get = (id: string) => reasons.looked(store.get(id));

  /** What a window gets that asks for the list. */
  async function list() {
    await reasons.findNewest(1000);
    return store.newest(1000);
  }

  /** Searches in one call. */
  function searchesOf(work: () => unknown): number {
    const before = searches;
    work();
    return searches - before;
  }

  it('take a fifth of the time at most, and few searches in a turn, whoever reads meanwhile', () => {
    let [most, sent] = [0, 0];
    // Somebody reads the list as often as forgeries come, as a window does by its feed and its view.
    for (let at = 0; at < floodMs; at += everyMs) {
      clock = Math.max(clock, at);
      forge(...Array.from({ length: eachTime }, () => `r${(sent += 1)}`));
      most = Math.max(
        most,
        searchesOf(() => told(0)),
        searchesOf(page),
      );
    }
    assert.equal(sent, 500);
    assert.ok(searches * searchMs <= 0.2 * clock + searchMs, `${searches} searches in ${clock} ms`);
    assert.ok(searches * searchMs >= 0.1 * floodMs, 'what there is time for is searched');
    assert.ok(most <= 10, `${most} in one turn`);
  });

  it('are searched for when somebody looks: at one, or at the list, few in a turn', async () => {
    for (let at = 0; at < 200; at += 1) forge(`r${at}`);
    told(0);
    const unasked = searches;
    assert.ok(unasked < 20, `${unasked}`);
    assert.equal(get('r3').reason, 'it is mismatch');
    assert.equal(searches, unasked + 1);
    let [inTurn, most] = [0, 0];
    const turn = (): void => {
      most = Math.max(most, searches - inTurn);
      inTurn = searches;
      if (searches < 200) setImmediate(turn);
    };
    inTurn = searches;
    setImmediate(turn);
    const listed = await list();
    assert.equal(listed.length, 200);
    assert.ok(listed.every(({ reason }) => reason === 'it is mismatch'));
    assert.ok(most <= 10, `${most} in one turn`);
    assert.equal(
      searchesOf(() => get('r7')),
      0,
      'once is enough',
    );
  });

  it('are told to a window that had the delivery without one, which is no new delivery', () => {
    forge(...Array.from({ length: 40 }, (_, at) => `r${at}`));
    const first = told(0);
    assert.equal(first.length, 40, 'all of them are told at once');
    const place = first.at(-1)?.revision ?? 0;
    const without = first.filter((row) => row.delivery.reason === undefined);
    assert.ok(without.length >= 20, `${without.length}`);
    clock += 60_000;
    const later = told(place);
    assert.ok(later.length > 0);
    assert.ok(later.every((row) => row.delivery.reason !== undefined && row.arrivedRevision <= place));
  });

  it('make what verified wait for none of them', () => {
    forge(...Array.from({ length: 300 }, (_, at) => `r${at}`));
    add(store, kept('large', { body: Buffer.from(`{"run_id":"run-1","text":"${'x'.repeat(20_000)}"}`) }));
    assert.equal(told(0).find((row) => row.delivery.id === 'large')?.delivery.runId, 'run-1');
  });

  it('are found before anybody asks, a few at a time: answers would wait for all of them', async () => {
    let inTurn = 0;
    const turns: number[] = [];
    reasons.close();
    reasons = searching(() => {
      if ((inTurn += 1) === 1) setImmediate(() => (inTurn = turns.push(inTurn) * 0));
    }, false);
    forge(...Array.from({ length: 60 }, (_, at) => `r${at}`));
    await waitFor('the reasons', () => turns.reduce((sum, count) => sum + count, 0) === 60);
    assert.ok(Math.max(...turns) <= 10, turns.join(' '));
    assert.equal(store.get('r59').reason, 'it is mismatch');
  });

  it('are those that a closer look has found, before and after their own was', () => {
    forge('a', 'b');
    store.note({ id: 'a', reason: 'one digit was changed' });
    assert.equal(get('b').reason, 'it is mismatch');
    store.note({ id: 'b', reason: 'one byte was changed' });
    assert.deepEqual(
      ['a', 'b'].map((id) => get(id).reason),
      ['one digit was changed', 'one byte was changed'],
    );
    assert.equal(store.page({}, 2).deliveries[1]?.reason, 'one digit was changed');
  });
});
