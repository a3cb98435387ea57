import assert from 'node:assert/strict';
import type { DeliveryStore } from '../../../../src/listener/store/deliveryStore.ts';
import { add, kept, refused, StoreRig } from '../../../support/listener/storeRig.ts';

/** How long the search for one reason takes here, in milliseconds. */
const searchMs = 6;
/** How often forgeries come, how many, and for how long, in milliseconds: 500 a second. */
const everyMs = 20;
const eachTime = 10;
const floodMs = 1000;

describe('the reasons of what a stranger forges', () => {
  let rig: StoreRig;
  let store: DeliveryStore;
  let clock: number;
  let searches: number;
  beforeEach(() => {
    rig = new StoreRig();
    clock = searches = 0;
    rig.workClock = () => clock;
    store = rig.store(1000, undefined, () => {
      searches += 1;
      clock += searchMs;
    });
  });
  afterEach(() => rig.end());

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
      add(store, ...Array.from({ length: eachTime }, () => refused(`r${(sent += 1)}`)));
      most = Math.max(
        most,
        searchesOf(() => store.changedAfter(0, 1000)),
        searchesOf(() => store.page({}, 100)),
      );
    }
    assert.equal(sent, 500);
    assert.ok(searches * searchMs <= 0.2 * clock + searchMs, `${searches} searches in ${clock} ms`);
    assert.ok(searches * searchMs >= 0.1 * floodMs, 'what there is time for is searched');
    assert.ok(most <= 10, `${most} in one turn`);
  });

  it('are searched for when somebody looks: at one, or at the list, few in a turn', async () => {
    for (let at = 0; at < 200; at += 1) add(store, refused(`r${at}`));
    store.changedAfter(0, 1000);
    const unasked = searches;
    assert.ok(unasked < 20, `${unasked}`);
    assert.equal(store.get('r3').reason, 'it is mismatch');
    assert.equal(searches, unasked + 1);
    let [inTurn, most] = [0, 0];
    const turn = (): void => {
      most = Math.max(most, searches - inTurn);
      inTurn = searches;
      if (searches < 200) setImmediate(turn);
    };
    inTurn = searches;
    setImmediate(turn);
    const listed = await store.newest(1000);
    assert.equal(listed.length, 200);
    assert.ok(listed.every(({ reason }) => reason === 'it is mismatch'));
    assert.ok(most <= 10, `${most} in one turn`);
    assert.equal(
      searchesOf(() => store.get('r7')),
      0,
      'once is enough',
    );
  });

  it('are told to a window that had the delivery without one, which is no new delivery', () => {
    const all = Array.from({ length: 40 }, (_, at) => refused(`r${at}`));
    add(store, ...all);
    const first = store.changedAfter(0, 100);
    assert.equal(first.length, 40, 'all of them are told at once');
    const place = first.at(-1)?.revision ?? 0;
    const without = first.filter((row) => row.kept.reason === undefined);
    assert.ok(without.length >= 20, `${without.length}`);
    clock += 60_000;
    const later = store.changedAfter(place, 100);
    assert.ok(later.length > 0);
    assert.ok(later.every((row) => row.kept.reason !== undefined && row.arrivedRevision <= place));
  });

  it('wait for nothing where they need no search, and what verified waits for none of them', () => {
    add(store, ...Array.from({ length: 300 }, (_, at) => refused(`r${at}`)));
    add(store, { ...refused('unsigned'), verdict: 'unsigned' });
    add(store, kept('large', { body: Buffer.from(`{"run_id":"run-1","text":"${'x'.repeat(20_000)}"}`) }));
    const told = store.changedAfter(0, 1000);
    const of = (id: string) => told.find((row) => row.kept.id === id);
    assert.equal(of('large')?.known.runId, 'run-1');
    assert.equal(of('unsigned')?.kept.reason, 'it is unsigned');
  });
});
