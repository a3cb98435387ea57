import assert from 'node:assert/strict';
import type { Delivery } from '../../../../src/model/deliveries/delivery.ts';
import { DeliveriesToLookAt, toLookAtText } from '../../../../src/model/deliveries/toLookAt.ts';
import type { Upsert } from '../../../../src/model/processes/listenerProtocol.ts';
import { deliveryOf } from '../../../support/deliveries/deliveryOf.ts';

const app = { to: 'http://127.0.0.1:3000/', durationMs: 3 };
const fine = (id: string) => deliveryOf(id, { forward: { ...app, status: 200 } });
const failed = (id: string) => deliveryOf(id, { forward: { ...app, status: 500 } });
const mismatch = (id: string) => deliveryOf(id, { verdict: 'mismatch' });

describe('what needs a look', () => {
  let revision = 0;
  let looks: DeliveriesToLookAt;
  beforeEach(() => {
    revision = 0;
    looks = new DeliveriesToLookAt(undefined);
    looks.restore({ ids: [], revision });
  });

  const news = (deliveries: readonly Delivery[], isJudged = true): void => {
    revision += 1;
    const upserts = deliveries.map((delivery): Upsert => ({ delivery, isNew: isJudged, isJudged }));
    looks.take({ upserts, revision });
  };
  /** The next window of the same workspace. @param ids what the store gives it */
  const reloaded = (ids: string[]): DeliveriesToLookAt => {
    const next = new DeliveriesToLookAt(looks.lookedAt);
    next.restore({ ids, revision });
    return next;
  };

  it('is what did not verify and what the app refused, once each', () => {
    news([
      fine('a'),
      deliveryOf('b'),
      failed('c'),
      mismatch('d'),
      deliveryOf('e', { forward: { ...app, error: 'x' } }),
    ]);
    news([failed('c')]);
    assert.equal(looks.count, 3);
  });

  it('is no more what a replay mended', () => {
    news([failed('a'), mismatch('b')]);
    news([fine('a')]);
    assert.equal(looks.count, 1);
  });

  it('is nothing that was shown, nor what is shown as it comes, until something fails again', () => {
    news([failed('a')]);
    looks.setInSight(true);
    assert.equal(looks.count, 0);
    news([failed('b')]);
    assert.equal(looks.count, 0);
    looks.setInSight(false);
    // Its app got known, which is nothing to look at.
    news([failed('a')], false);
    assert.equal(looks.count, 0);
    news([failed('a')]);
    assert.equal(looks.count, 1);
  });

  it('is nothing that was opened, until it fails again', () => {
    news([failed('a'), failed('b')]);
    looks.open('a');
    looks.open('unknown');
    assert.equal(looks.count, 1);
    news([failed('a')], false);
    assert.equal(looks.count, 1);
    assert.equal(reloaded(['b', 'a']).count, 1);
    news([failed('a')]);
    assert.equal(looks.count, 2);
    assert.equal(reloaded(['b', 'a']).count, 2);
  });

  it('is remembered over a reload, by the last revision that was looked at', () => {
    assert.deepEqual(looks.lookedAt, { revision: 0, opened: [] });
    news([failed('a')]);
    looks.setInSight(true);
    looks.setInSight(false);
    news([failed('b')]);
    assert.deepEqual(looks.lookedAt, { revision: 1, opened: [] });
    assert.equal(reloaded(['b']).count, 1);
  });

  it('remembers no list that grows: it ends with the last that is opened or mended', () => {
    news(Array.from({ length: 500 }, (_, at) => failed(`d-${at}`)));
    for (let at = 0; at < 499; at += 1) looks.open(`d-${at}`);
    assert.equal(looks.lookedAt?.opened.length, 200);
    news([fine('d-499')]);
    assert.deepEqual(looks.lookedAt, { revision: 2, opened: [] });
  });

  it('is shown where it comes before the store was asked', () => {
    looks = new DeliveriesToLookAt({ revision: 3, opened: [] });
    looks.setInSight(true);
    looks.restore({ ids: ['a'], revision: 7 });
    assert.equal(looks.count, 0);
    assert.deepEqual(looks.lookedAt, { revision: 7, opened: [] });
  });

  it('counts a thousand, and says that there are more', () => {
    news(Array.from({ length: 1200 }, (_, at) => failed(`d-${at}`)));
    assert.equal(looks.count, 1000);
    assert.equal(toLookAtText(looks.count), '1000+ deliveries need a look');
    assert.equal(toLookAtText(2), '2 deliveries need a look');
    assert.equal(toLookAtText(1), '1 delivery needs a look');
    news([fine('d-0')]);
    assert.equal(looks.count, 1000, 'the oldest are forgotten first');
  });
});
