import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import type { News } from '../../../../src/model/processes/listenerProtocol.ts';
import { DeliveryFeed } from '../../../../src/listener/program/deliveryFeed.ts';
import { add, kept, StoreRig } from '../../../support/listener/storeRig.ts';
import { waitFor } from '../../../support/time/waitFor.ts';

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
      isForwarding: () => false,
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
      news?.upserts.map(({ delivery, isNew }) => [delivery.id, isNew] as const);
    const send = () => Promise.resolve();
    const isForwarding = () => false;

    it('takes it for no new store, also where it was never read', () => {
      const store = rig.store();
      add(store, kept('a'), kept('b'));
      const feed = new DeliveryFeed({ store, isForwarding, after: 0, send });
      const last = feed.next();
      assert.equal(last?.upserts.length, 2);
      store.close();
      const back = away();
      const later = rig.store();
      const next = new DeliveryFeed({ store: later, isForwarding, after: last.revision, send });
      assert.equal(next.next(), undefined);
      back();
      add(later, kept('c'));
      assert.deepEqual(told(next.next()), [['c', true]]);
    });

    it('tells one that begins then of nothing that was kept before', () => {
      const first = rig.store();
      add(first, kept('a'), kept('b'));
      first.close();
      const back = away();
      const store = rig.store();
      const feed = new DeliveryFeed({ store, isForwarding, after: store.revision, send });
      assert.equal(feed.next(), undefined);
      back();
      assert.equal(feed.next(), undefined);
      add(store, kept('c'));
      assert.deepEqual(told(feed.next()), [['c', true]]);
    });

    it('tells what came before that, as soon as it can be read again', async () => {
      const store = rig.store();
      const all: News[] = [];
      const feed = new DeliveryFeed({
        ...{ store, isForwarding, after: store.revision },
        send: (news) => Promise.resolve(all.push(news)),
      });
      add(store, kept('a'));
      const back = away();
      feed.changed();
      await waitFor('the turn that cannot read', () => rig.problems.length > 0);
      back();
      await waitFor('the news', () => all.length > 0);
      assert.deepEqual(told(all[0]), [['a', true]]);
      feed.close();
    });
  });
});
