import assert from 'node:assert/strict';
import type { DeliveryStore } from '../../../../src/listener/store/deliveryStore.ts';
import { type DeliveryFilter, isEmptyFilter } from '../../../../src/deliveries/deliveryFilter.ts';
import { add, kept, StoreRig } from '../../../support/listener/storeRig.ts';

describe('the filter of deliveries', () => {
  const body = Buffer.from('{"run_id":"run-8F3c","text":"Grüße"}');
  let rig: StoreRig;
  let store: DeliveryStore;
  before(() => {
    rig = new StoreRig();
    store = rig.store();
    const rawHeaders = [
      ...['X-Trace', 'Needle-77', 'Authorization', 'Bearer of-a-secret'],
      ...['X-Acme-Webhook-Signature', 'v1,0152acbb'],
    ];
    add(
      store,
      kept('one', { verdict: 'no-secret', standing: 'accepted', body, rawHeaders }),
      kept('bare', { body: Buffer.from([0, 1, 2, 3]), rawHeaders: [] }),
      kept('binary', { body: Buffer.from([0xff, ...Buffer.from('AAEC')]), rawHeaders: [] }),
    );
    store.note({ id: 'one', appName: 'hello' });
    const attempt = { kind: 'forward', to: 'http://localhost:3000', status: 503, durationMs: 1 } as const;
    store.note({ id: 'one', attempt });
    rig.clock += 60_000;
  });
  after(() => rig.end());

  const found = (filter: DeliveryFilter): string[] => store.page(filter, 10).deliveries.map(({ id }) => id);
  const fits = (filter: DeliveryFilter): boolean => found(filter).includes('one');

  it('is empty without conditions', () => {
    assert.equal(isEmptyFilter({}), true);
    assert.equal(isEmptyFilter({ text: 'a' }), false);
    assert.equal(isEmptyFilter({ text: [] }), true);
    assert.equal(found({}).length, 3);
  });

  it('fits where every condition does', () => {
    assert.equal(fits({ verdict: 'no-secret', app: 'hello', text: 'grÜSSE'.replace('SS', 'ß') }), true);
    assert.equal(fits({ verdict: 'verified', app: 'hello' }), false);
    assert.equal(fits({ verdict: 'no-secret', app: 'other' }), false);
    assert.equal(fits({ text: 'elsewhere' }), false);
  });

  it('fits where one of several apps, verdicts, runs or statuses does, and each of several texts', () => {
    assert.equal(fits({ app: ['other', 'hello'], verdict: ['stale', 'no-secret'] }), true);
    assert.equal(fits({ status: ['200', '5xx'] }), true);
    assert.equal(fits({ text: ['needle', 'grüße'] }), true);
    assert.equal(fits({ text: ['needle', 'elsewhere'] }), false);
  });

  it('fits by the start of the run, the status, the age, and whether the app took it', () => {
    for (const run of ['run-8', 'RUN-8f3C']) assert.equal(fits({ run }), true, run);
    assert.equal(fits({ run: '8F3c' }), false);
    for (const status of ['503', '50x', '5xx']) assert.equal(fits({ status }), true, status);
    assert.equal(fits({ status: '500' }), false);
    assert.deepEqual([fits({ since: '1m' }), fits({ since: '59s' })], [true, false]);
    assert.deepEqual(found({ failed: true }), ['one']);
    assert.deepEqual(found({ status: '5xx' }), ['one']);
  });

  it('fits by a header, and by a part of its value', () => {
    assert.equal(fits({ header: { name: 'X-Trace' } }), true);
    assert.equal(fits({ header: { name: 'x-trace', value: 'needle' } }), true);
    assert.equal(fits({ header: [{ name: 'x-trace' }, { name: 'x-other' }] }), false);
    assert.equal(fits({ header: { name: 'x-trace', value: '78' } }), false);
    assert.equal(fits({ header: { name: 'constructor' } }), false);
  });

  it('looks into no value that lets somebody in', () => {
    for (const text of ['of-a-secret', 'Bearer', 'v1,0152']) assert.equal(fits({ text }), false, text);
    assert.equal(fits({ header: { name: 'authorization', value: 'of-a' } }), false);
    assert.equal(fits({ header: { name: 'x-acme-webhook-signature', value: '0' } }), false);
    assert.equal(fits({ header: { name: 'authorization' } }), true);
    assert.equal(fits({ text: 'webhook-signature' }), true);
  });

  it('finds no text in what is none, nor in its base64', () => {
    assert.deepEqual(found({ text: 'AAEC' }), []);
  });
});
