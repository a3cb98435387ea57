import assert from 'node:assert/strict';
import type { Delivery } from '../../../../src/model/deliveries/delivery.ts';
import { fitsFilter, isEmptyFilter } from '../../../../src/model/deliveries/deliveryFilter.ts';
import { DeliveryList, summarise } from '../../../../src/model/deliveries/deliveryList.ts';
import { deliveryOf as delivery } from '../../../support/deliveryOf.ts';

/** The ids of the groups, repeats in brackets. */
function shown(list: DeliveryList): string[] {
  return list.groups().map(({ first, repeats }) => `${first.id}[${repeats.map(({ id }) => id).join()}]`);
}

describe('the list of deliveries', () => {
  it('shows the newest first', () => {
    const list = new DeliveryList();
    list.load([delivery('b'), delivery('a')]);
    list.add(delivery('c'), 10);
    assert.deepEqual(shown(list), ['c[]', 'b[]', 'a[]']);
  });

  it('puts repeats under their first, the oldest repeat first', () => {
    const list = new DeliveryList();
    list.load([delivery('c', { repeatOf: 'a' }), delivery('b'), delivery('a')]);
    list.add(delivery('d', { repeatOf: 'a' }), 10);
    assert.deepEqual(shown(list), ['b[]', 'a[c,d]']);
  });

  it('shows a repeat for itself where its first is not there', () => {
    const list = new DeliveryList();
    list.load([delivery('b', { repeatOf: 'gone' }), delivery('a')]);
    assert.deepEqual(shown(list), ['b[]', 'a[]']);
  });

  it('keeps as many as are to be kept', () => {
    const list = new DeliveryList();
    for (const id of ['a', 'b', 'c', 'd']) list.add(delivery(id), 2);
    assert.deepEqual(shown(list), ['d[]', 'c[]']);
    assert.equal(list.size, 2);
  });

  it('takes in what got known of a delivery, in its place', () => {
    const list = new DeliveryList();
    list.load([delivery('b'), delivery('a')]);
    assert.equal(list.change(delivery('a', { runId: 'r-1' })), true);
    assert.equal(list.get('a')?.runId, 'r-1');
    assert.equal(list.change(delivery('z')), false);
    assert.deepEqual(shown(list), ['b[]', 'a[]']);
  });

  it('names the apps', () => {
    const list = new DeliveryList();
    list.load([
      delivery('a', { verdict: 'mismatch', appName: 'two' }),
      delivery('b', { verdict: 'unsigned', appName: 'one' }),
      delivery('c', { appName: 'two' }),
      delivery('d'),
    ]);
    assert.deepEqual(list.apps, ['one', 'two']);
  });

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
