import assert from 'node:assert/strict';
import { type Delivery, summarise } from '../../../../src/model/deliveries/delivery.ts';
import {
  type DeliveryFilter,
  fitsFilter,
  isEmptyFilter,
} from '../../../../src/model/deliveries/deliveryFilter.ts';
import { deliveryOf as delivery } from '../../../support/deliveries/deliveryOf.ts';

describe('the summary of a delivery', () => {
  it('holds no bodies and no headers', () => {
    const { body, headers, bodyEncoding } = summarise(delivery('a')) as Partial<Delivery>;
    assert.deepEqual([body, headers, bodyEncoding], [undefined, undefined, undefined]);
  });
});

describe('the filter of deliveries', () => {
  const one = delivery('a', {
    verdict: 'mismatch',
    appName: 'hello',
    runId: 'run-8F3c',
    body: '{"text":"Grüße"}',
    headers: {
      'x-trace': 'Needle-77',
      authorization: 'Bearer of-a-secret',
      'x-acme-webhook-signature': 'v1,0152acbb',
    },
    forward: { to: 'http://localhost:3000', status: 503, durationMs: 1 },
  });
  const now = Date.parse(one.receivedAt) + 60_000;
  const fits = (filter: DeliveryFilter): boolean => fitsFilter(one, filter, now);

  it('is empty without conditions', () => {
    assert.equal(isEmptyFilter({}), true);
    assert.equal(isEmptyFilter({ text: 'a' }), false);
    assert.equal(isEmptyFilter({ text: [] }), true);
    assert.equal(fits({}), true);
  });

  it('fits where every condition does', () => {
    assert.equal(fits({ verdict: 'mismatch', app: 'hello', text: 'grÜSSE'.replace('SS', 'ß') }), true);
    assert.equal(fits({ verdict: 'verified', app: 'hello' }), false);
    assert.equal(fits({ verdict: 'mismatch', app: 'other' }), false);
    assert.equal(fits({ text: 'elsewhere' }), false);
  });

  it('fits where one of several apps, verdicts, runs or statuses does, and each of several texts', () => {
    assert.equal(fits({ app: ['other', 'hello'], verdict: ['stale', 'mismatch'] }), true);
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
    assert.equal(fits({ refused: true }), true);
    assert.equal(fitsFilter(delivery('b'), { refused: true }, now), false);
    assert.equal(fitsFilter(delivery('b'), { status: '5xx' }, now), false);
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

  it('finds no text in base64', () => {
    const binary = delivery('b', { body: 'AAECAw==', bodyEncoding: 'base64' });
    assert.equal(fitsFilter(binary, { text: 'AAEC' }, now), false);
  });
});
