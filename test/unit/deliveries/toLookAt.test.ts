import assert from 'node:assert/strict';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { DeliveriesToLookAt, toLookAtText } from '../../../src/deliveries/toLookAt.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';

const app = { to: 'http://127.0.0.1:3000/', durationMs: 3 };
/** A delivery whose last attempt ended at a time of day. */
const attempted = (id: string, at: string, outcome: { status?: number; error?: string }): Delivery => {
  const attempt = { ...app, ...outcome, at: `2026-01-01T${at}.000Z`, kind: 'forward' as const };
  return deliveryOf(id, { forward: attempt, attempts: [attempt] });
};
const fine = (id: string, at = '10:00:00') => attempted(id, at, { status: 200 });
const failed = (id: string, at = '10:00:00') => attempted(id, at, { status: 500 });
const mismatch = (id: string) => deliveryOf(id, { verdict: 'mismatch' });

describe('what needs a look', () => {
  let changes: number;
  let looks: DeliveriesToLookAt;
  beforeEach(() => {
    changes = 0;
    looks = new DeliveriesToLookAt(Date.parse('2026-01-01T09:00:00Z'), () => (changes += 1));
  });

  const came = (...deliveries: Delivery[]): void => looks.take({ arrived: deliveries, changed: [] });
  const changed = (...deliveries: Delivery[]): void => looks.take({ arrived: [], changed: deliveries });

  it('is what did not verify and what the app refused, once each', () => {
    came(fine('a'), deliveryOf('b'), failed('c'), mismatch('d'), attempted('e', '10:00:00', { error: 'x' }));
    assert.deepEqual([looks.count, changes], [3, 1]);
    changed(failed('c', '10:00:01'));
    assert.deepEqual([looks.count, changes], [3, 1]);
  });

  it('is what the app refuses after it came, and no more once a replay mended it', () => {
    came(deliveryOf('a'), deliveryOf('b'), mismatch('c'));
    assert.equal(looks.count, 1);
    changed(failed('a'), fine('b'));
    assert.equal(looks.count, 2);
    changed(fine('a', '10:00:01'));
    assert.equal(looks.count, 1);
  });

  it('is nothing that was shown, nor what is shown as it comes, until something fails again', () => {
    came(failed('a'));
    looks.setInSight(true);
    assert.equal(looks.count, 0);
    came(failed('b'), mismatch('c'));
    assert.deepEqual([looks.count, changes], [0, 2]);
    looks.setInSight(false);
    // Their app got known, which is nothing to look at.
    changed(failed('a'), failed('b'), mismatch('c'));
    assert.equal(looks.count, 0);
    changed(failed('a', '10:00:01'));
    assert.equal(looks.count, 1);
  });

  it('is nothing that was opened, until it fails again', () => {
    came(failed('a'), failed('b'), mismatch('c'));
    looks.open('a');
    looks.open('c');
    looks.open('unknown');
    changed(failed('a'), mismatch('c'));
    assert.equal(looks.count, 1);
    changed(failed('a', '10:00:01'));
    assert.equal(looks.count, 2);
  });

  it('is nothing of before this window of which only the reason got known, and nothing that was removed', () => {
    changed(mismatch('old'), failed('older', '08:59:59'));
    assert.equal(looks.count, 0);
    changed(failed('older', '09:00:01'));
    assert.equal(looks.count, 1);
    looks.open('older');
    came(failed('a'));
    looks.clear();
    assert.deepEqual([looks.count, changes], [0, 4]);
  });

  it('counts a thousand, and says that there are more', () => {
    came(...Array.from({ length: 1200 }, (_, at) => failed(`d-${at}`)));
    assert.equal(looks.count, 1000);
    assert.equal(toLookAtText(looks.count), '1000+ deliveries need a look');
    assert.equal(toLookAtText(2), '2 deliveries need a look');
    assert.equal(toLookAtText(1), '1 delivery needs a look');
    changed(fine('d-0'));
    assert.equal(looks.count, 1000, 'the oldest are forgotten first');
  });
});
