import assert from 'node:assert/strict';
import { type Delivery, summarise } from '../../../../src/model/deliveries/delivery.ts';
import { fitsFilter, isEmptyFilter } from '../../../../src/model/deliveries/deliveryFilter.ts';
import { deliveryOf as delivery } from '../../../support/deliveryOf.ts';

describe('the summary of a delivery', () => {
  it('holds no bodies and no headers', () => {
    const { body, headers, bodyEncoding } = summarise(delivery('a')) as Partial<Delivery>;
    assert.deepEqual([body, headers, bodyEncoding], [undefined, undefined, undefined]);
  });
});

describe('the filter of deliveries', () => {
  const one = delivery('a', { verdict: 'mismatch', appName: 'hello', body: '{"text":"Grüße"}' });

  it('is empty without conditions', () => {
    assert.equal(isEmptyFilter({}), true);
    assert.equal(isEmptyFilter({ text: 'a' }), false);
    assert.equal(fitsFilter(one, {}), true);
  });

  it('fits where every condition does', () => {
    assert.equal(
      fitsFilter(one, { verdict: 'mismatch', app: 'hello', text: 'grÜSSE'.replace('SS', 'ß') }),
      true,
    );
    assert.equal(fitsFilter(one, { verdict: 'verified', app: 'hello' }), false);
    assert.equal(fitsFilter(one, { verdict: 'mismatch', app: 'other' }), false);
    assert.equal(fitsFilter(one, { text: 'elsewhere' }), false);
  });

  it('finds no text in base64', () => {
    const binary = delivery('b', { body: 'AAECAw==', bodyEncoding: 'base64' });
    assert.equal(fitsFilter(binary, { text: 'AAEC' }), false);
  });
});
