import assert from 'node:assert/strict';
import { DeliveryReader } from '../../../src/webhooks/deliveryReader.ts';
import { ListenerRig } from '../../support/listenerRig.ts';

describe('reading kept deliveries', () => {
  let rig: ListenerRig;
  let reader: DeliveryReader;
  beforeEach(async () => {
    rig = await new ListenerRig().start();
    reader = new DeliveryReader(rig.store);
  });
  afterEach(() => rig.end());

  const requestIds = (deliveries: readonly { requestId?: string }[]) =>
    deliveries.map(({ requestId }) => requestId);

  it('gives them newest first, across what is read at once', async () => {
    for (let n = 1; n <= 20; n += 1) await rig.deliver(`r-${n}`);
    const all = Array.from({ length: 20 }, (_, index) => `r-${20 - index}`);
    assert.deepEqual(requestIds(await reader.list()), all);
    assert.deepEqual(requestIds(await reader.list(9)), all.slice(0, 9));
    assert.deepEqual(await reader.list(0), []);
  });

  it('gives a page of those that fit, without bodies, and says whether there are more', async () => {
    for (let n = 1; n <= 12; n += 1)
      await rig.send('{}', rig.signed(`r-${n}`, '{}', n % 2 ? 'other' : undefined));
    const page = await reader.page({ verdict: 'mismatch' }, 4);
    assert.deepEqual(requestIds(page.deliveries), ['r-11', 'r-9', 'r-7', 'r-5']);
    assert.deepEqual([page.hasMore, page.unverified], [true, 6]);
    assert.ok(page.deliveries.every((one) => !('body' in one) && !('headers' in one)));
    const rest = await reader.page({ verdict: 'mismatch' }, 6);
    assert.equal(rest.hasMore, false);
  });

  it('lets others come in between, and bears that all is cleared meanwhile', async () => {
    for (let n = 1; n <= 30; n += 1) await rig.deliver(`r-${n}`);
    const reading = reader.list();
    let cleared = false;
    setImmediate(() => {
      rig.store.clear();
      cleared = true;
    });
    const got = await reading;
    assert.equal(cleared, true);
    assert.ok(got.length > 0 && got.length < 30);
  });

  it('counts all that did not verify, as they come, go and are read again', async () => {
    rig.configure({ keep: 3 });
    for (const key of ['other', 'other', undefined, 'other'])
      await rig.send('{}', rig.signed('r', '{}', key));
    assert.equal(rig.store.unverified, 2, 'of the newest three');
    for (const id of rig.arrived) rig.store.arrival(id);
    assert.equal(rig.store.unverified, 2);
    const again = new ListenerRig({ folder: rig.folder });
    again.store.load();
    assert.equal(again.store.unverified, 3);
    again.store.close();
    rig.store.clear();
    assert.equal(rig.store.unverified, 0);
  });
});
