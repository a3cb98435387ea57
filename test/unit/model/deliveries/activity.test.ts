import assert from 'node:assert/strict';
import { Activity } from '../../../../src/model/deliveries/activity.ts';
import type { Delivery } from '../../../../src/model/deliveries/delivery.ts';
import { deliveryOf } from '../../../support/deliveries/deliveryOf.ts';

const end = Date.parse('2026-11-20T12:00:00.000Z');

/** A delivery that came so many seconds before the last one. */
function ago(seconds: number, id: string, more: Partial<Delivery> = {}): Delivery {
  return deliveryOf(id, { receivedAt: new Date(end - seconds * 1000).toISOString(), ...more });
}

describe('what came lately', () => {
  const to = 'http://localhost:3000';
  let activity: Activity;
  beforeEach(() => {
    activity = new Activity();
    activity.learn([], true);
  });

  const take = (count: number, seconds: (index: number) => number, more: Partial<Delivery> = {}): void => {
    for (let at = 0; at < count; at += 1) activity.take(ago(seconds(at), `${seconds(at)} ${at}`, more));
  };

  it('is nothing to see below 20', () => {
    take(19, () => 0);
    assert.equal(activity.text(), undefined);
    take(20, () => 0);
    assert.equal(activity.text()?.count, '20 in 5 min');
  });

  it('is drawn in parts of its time, the last one at its end', () => {
    take(7, () => 299);
    take(14, () => 150);
    take(1, () => 0);
    const { bars = '', count } = activity.text() ?? {};
    assert.deepEqual([bars.length, count], [20, '22 in 5 min']);
    assert.deepEqual([bars[0], bars[9], bars[19]], ['▅', '█', '▂']);
    assert.equal(bars.replaceAll('▁', ''), '▅█▂');
  });

  it('looks back further where the last minutes hold too few', () => {
    take(24, (index) => index * 60);
    assert.equal(activity.text()?.count, '24 in 1 h');
    activity.learn([], true);
    take(30, (index) => index * 1800);
    assert.equal(activity.text()?.count, '30 in 24 h');
  });

  it('says what went wrong, in words', () => {
    take(20, (index) => index);
    assert.deepEqual([activity.text()?.wrong, activity.text()?.worst], [[], 'fine']);
    activity.take(ago(30, 'r', { forward: { to, status: 500, durationMs: 1 } }));
    assert.deepEqual(
      [activity.text()?.wrong, activity.text()?.worst],
      [['1 refused by your app'], 'refused'],
    );
    activity.take(ago(30, 'm', { verdict: 'mismatch', answered: 401 }));
    activity.take(ago(30, 'u', { verdict: 'unsigned', answered: 401 }));
    activity.take(ago(30, 'n', { verdict: 'unsigned', answered: 200 }));
    const { wrong, worst } = activity.text() ?? {};
    assert.deepEqual([wrong, worst], [['2 did not verify', '1 refused by your app'], 'unverified']);
  });

  it('follows what becomes of a delivery', () => {
    take(20, (index) => index);
    activity.take(ago(30, 'r', { forward: { to, status: 500, durationMs: 1 } }));
    activity.take(ago(30, 'r', { forward: { to, status: 200, durationMs: 1 } }));
    assert.deepEqual([activity.text()?.wrong, activity.text()?.count], [[], '21 in 5 min']);
  });

  it('begins anew, and says where it knows no more', () => {
    const page = Array.from({ length: 25 }, (_, index) => ago(index, `n${index}`));
    activity.forget();
    activity.learn(page, false);
    assert.equal(activity.text()?.count, '25+ in 5 min');
    activity.learn(page, true);
    assert.equal(activity.text()?.count, '25 in 5 min');
    // A page tells of the newest alone: what is known beyond it stays.
    take(10, () => 40);
    activity.learn(page, false);
    assert.equal(activity.text()?.count, '35 in 5 min');
    activity.forget();
    assert.equal(activity.text(), undefined);
  });

  it('counts no more than the last 5,000', () => {
    take(6000, (index) => (6000 - index) / 100);
    assert.equal(activity.text()?.count, '5000+ in 5 min');
  });
});
