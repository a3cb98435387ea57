import assert from 'node:assert/strict';
import { Unkept } from '../../../../src/listener/program/deliveryFeed.ts';
import { TestClock } from '../../../support/time/testClock.ts';

describe('what a window is told of requests that are not kept', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const refused = { at, status: 405, method: 'GET', reason: 'only POST is a delivery' } as const;
  let clock: TestClock;
  let unkept: Unkept;
  let times: number;
  beforeEach(() => {
    clock = new TestClock();
    times = 0;
    unkept = new Unkept(clock, () => (times += 1));
  });
  /** How many lines it comes to, and how many requests the last of them stands for. */
  const told = (): [lines: number, overflow: number] => {
    const {
      refused: away,
      brokenOff,
      overflow,
    } = unkept.take() ?? { refused: [], brokenOff: [], overflow: 0 };
    return [away.length + brokenOff.length, overflow];
  };

  it('is each of them, once', () => {
    unkept.add('refused', refused);
    unkept.add('brokenOff', { at, bytes: 812 });
    assert.deepEqual(unkept.take(), { refused: [refused], brokenOff: [{ at, bytes: 812 }], overflow: 0 });
    assert.equal(unkept.take(), undefined);
    assert.equal(times, 2);
  });

  it('is no more than twenty a minute, and how many more there were', () => {
    for (let minute = 0; minute < 3; minute += 1) {
      for (let count = 0; count < 100_000; count += 1) unkept.add('brokenOff', { at, bytes: count });
      assert.deepEqual(told(), [20, 0]);
      clock.advance(60_000);
      assert.deepEqual(told(), [0, 99_980]);
    }
    assert.equal(times, 3 * 21);
  });

  it('holds no more than that for a window that is too busy to be told', () => {
    for (let minute = 0; minute < 3; minute += 1) {
      for (let count = 0; count < 25; count += 1) unkept.add('refused', refused);
      clock.advance(60_000);
    }
    const [lines, overflow] = told();
    assert.equal(lines + overflow, 75);
    assert.equal(lines, 20);
  });

  it('is nothing after a minute without any, and nothing ticks on', () => {
    unkept.add('refused', refused);
    told();
    clock.advance(60_000);
    assert.equal(clock.nextIn, undefined);
    assert.equal(times, 1);
    unkept.add('refused', refused);
    unkept.close();
    unkept.add('refused', refused);
    assert.equal(clock.nextIn, undefined);
  });
});
