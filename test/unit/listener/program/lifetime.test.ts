import assert from 'node:assert/strict';
import { Lifetime } from '../../../../src/listener/program/lifetime.ts';
import { TestClock } from '../../../support/time/testClock.ts';

describe('how long the listener program goes on', () => {
  let clock: TestClock;
  let lifetime: Lifetime;
  let keepAliveMs: number;
  /** When the last run was started, where it awaits its delivery. */
  let awaited: number;
  let ended: number;
  beforeEach(() => {
    clock = new TestClock();
    [keepAliveMs, awaited, ended] = [60_000, Number.NEGATIVE_INFINITY, 0];
    lifetime = new Lifetime({
      keepAliveMs: () => keepAliveMs,
      awaitsSince: (startedAt) => awaited > startedAt,
      onEnd: () => (ended += 1),
      say: () => undefined,
      clock,
    });
  });

  it('is while a window is there, and so long after the last one', () => {
    lifetime.start(20_000);
    lifetime.hold();
    clock.advance(100_000_000);
    assert.equal(ended, 0);
    lifetime.left();
    clock.advance(59_999);
    assert.equal(ended, 0);
    clock.advance(1);
    assert.equal(ended, 1);
  });

  it('is a day at most: a timer for a month would be over at once', () => {
    keepAliveMs = 30 * 86_400_000;
    lifetime.left();
    clock.advance(86_399_999);
    assert.equal(ended, 0);
    clock.advance(1);
    assert.equal(ended, 1);
  });

  it('begins anew with a window that comes meanwhile', () => {
    lifetime.hold();
    lifetime.left();
    clock.advance(59_000);
    lifetime.hold();
    clock.advance(100_000);
    lifetime.left();
    clock.advance(59_000);
    assert.equal(ended, 0);
  });

  it('is longer while a run awaits its delivery, an hour at most', () => {
    awaited = clock.now();
    lifetime.hold();
    lifetime.left();
    clock.advance(30 * 60_000);
    assert.equal(ended, 0);
    awaited = Number.NEGATIVE_INFINITY;
    clock.advance(5000);
    assert.equal(ended, 1);
    awaited = clock.now();
    lifetime.hold();
    lifetime.left();
    clock.advance(59 * 60_000);
    assert.equal(ended, 1);
    clock.advance(2 * 60_000);
    assert.equal(ended, 2);
  });

  it('ends with the last window where that is wished, whatever is awaited', () => {
    keepAliveMs = 0;
    awaited = clock.now();
    lifetime.hold();
    lifetime.left();
    clock.advance(0);
    assert.equal(ended, 1);
  });

  it('is short where no window ever comes', () => {
    lifetime.start(20_000);
    clock.advance(20_000);
    assert.equal(ended, 1);
  });
});
