import assert from 'node:assert/strict';
import { DeliveryFeed } from '../../../../src/listener/program/deliveryFeed.ts';
import { add, kept, StoreRig } from '../../../support/storeRig.ts';
import { waitFor } from '../../../support/waitFor.ts';

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
});
