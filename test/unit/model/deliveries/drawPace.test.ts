import assert from 'node:assert/strict';
import { DrawPace } from '../../../../src/model/deliveries/drawPace.ts';
import { TestClock } from '../../../support/testClock.ts';

describe('the pace of a view whose rows keep coming', () => {
  let clock: TestClock;
  let draws: number;
  let pace: DrawPace;

  beforeEach(() => {
    clock = new TestClock();
    draws = 0;
    pace = new DrawPace(clock, () => {
      draws += 1;
      pace.drawn();
    });
  });

  it('draws a row that comes alone soon, together with those that come right after it', () => {
    pace.change();
    clock.advance(100);
    pace.change();
    clock.advance(99);
    assert.equal(draws, 0);
    assert.ok(pace.isDue);
    clock.advance(1);
    assert.equal(draws, 1);
    assert.ok(!pace.isDue);
  });

  it('draws a stream once a second, and its last row too', () => {
    for (let row = 0; row < 100; row += 1) {
      pace.change();
      clock.advance(50);
    }
    assert.equal(draws, 5);
    clock.advance(1000);
    assert.equal(draws, 6);
    clock.advance(60_000);
    pace.change();
    clock.advance(200);
    assert.equal(draws, 7);
  });

  it('draws nothing for what was drawn meanwhile, or after its end', () => {
    pace.change();
    pace.drawn();
    pace.change();
    pace.dispose();
    clock.advance(60_000);
    assert.equal(draws, 0);
    assert.equal(clock.nextIn, undefined);
  });
});
