import assert from 'node:assert/strict';
import type { RelayPlace } from '../../../src/deliveries/keptDelivery.ts';
import { ListenerRig } from '../../support/listener/listenerRig.ts';

describe('a delivery that waited at a relay', () => {
  let rig: ListenerRig;
  const hour = 3_600_000;
  const channel = 'a'.repeat(26);
  before(async () => {
    rig = await new ListenerRig().start();
  });
  after(() => rig.end());

  /** Takes a delivery that was signed and posted some time ago. */
  const take = (
    requestId: string,
    {
      agoMs = 0,
      seq = 1,
      headers = {},
    }: { agoMs?: number; seq?: number; headers?: Record<string, string> } = {},
  ) => {
    const postedAt = rig.clock - agoMs;
    const now = rig.clock;
    rig.clock = postedAt;
    const signed = { ...rig.signed(requestId, '{}'), ...headers };
    rig.clock = now;
    const place: RelayPlace = { channel, seq, at: postedAt };
    const rawHeaders = Object.entries(signed).flat();
    return rig.listener.takeRelayed(place, {
      method: 'POST',
      path: '/',
      rawHeaders,
      body: Buffer.from('{}'),
    });
  };
  const kept = (requestId: string) => rig.list().filter((one) => one.requestId === requestId);

  it('verifies by the time at which the relay took it, and says how long it waited', async () => {
    await take('late', { agoMs: 2 * hour });
    const [one] = kept('late');
    assert.equal(one?.verdict, 'verified');
    assert.equal(one.waitedMs, 2 * hour);
    assert.equal(one.receivedAt, new Date(rig.clock).toISOString());
    assert.equal(one.answered, 200);
  });

  it('is stale where it was so by then', async () => {
    const old = rig.signed('old', '{}')['X-Service-Webhook-Timestamp'];
    const stale = { 'X-Service-Webhook-Timestamp': String(Number(old) - 3 * 3600) };
    await take('old', { agoMs: hour, seq: 2, headers: stale });
    assert.notEqual(kept('old')[0]?.verdict, 'verified');
  });

  it('is none where it is a probe that waited at the relay for longer than anybody waits for it', async () => {
    rig.listener.probes.expect('the-nonce');
    assert.equal(rig.listener.probes.collect('the-nonce'), undefined);
    await take('runhook-probe-the-nonce', { seq: 20 });
    assert.equal(kept('runhook-probe-the-nonce').length, 0);
  });

  it('is stored once, however often the relay sends it, also after it was cleared and by another program', async () => {
    const again = { agoMs: hour, seq: 3 };
    await Promise.all([take('once', again), take('once', again)]);
    await take('once', again);
    assert.equal(kept('once').length, 1);
    rig.store.clear();
    await take('once', again);
    assert.equal(kept('once').length, 0);
    const { folder } = rig;
    await rig.listener.close();
    rig.store.close();
    rig = await new ListenerRig({ folder }).start();
    await take('once', again);
    assert.equal(kept('once').length, 0);
  });

  it('is another one where the relay was set up anew, and counts from 1 again', async () => {
    await take('first engine', { agoMs: hour, seq: 4 });
    await take('second engine', { agoMs: hour / 2, seq: 4 });
    assert.deepEqual([kept('first engine').length, kept('second engine').length], [1, 1]);
  });

  it('is a repeat of the one that the service sent before', async () => {
    await take('twice', { agoMs: 2 * hour, seq: 5 });
    rig.clock += hour;
    await take('twice', { agoMs: 3 * hour - 1000, seq: 6 });
    const [repeat, first] = kept('twice');
    assert.equal(repeat?.repeatOf, first?.id);
  });

  it('is refused where it does not verify, whatever is accepted otherwise, and is not forwarded', async () => {
    rig.configure({ acceptUnverified: true, forwardTo: 'http://127.0.0.1:1/' });
    await take('forged', { seq: 7, headers: { 'X-Service-Webhook-Signature': `v1,${'0'.repeat(64)}` } });
    const unsigned = { 'X-Service-Webhook-Signature': 'none', 'X-Service-Webhook-Timestamp': '' };
    await take('unsigned', { seq: 8, headers: unsigned });
    rig.configure({ acceptUnverified: false, forwardTo: undefined });
    for (const id of ['forged', 'unsigned']) {
      const [one] = kept(id);
      assert.notEqual(one?.verdict, 'verified');
      assert.equal(one?.forward, undefined);
    }
  });
});
