import assert from 'node:assert/strict';
import { benchmarks, shortSize } from '../bench/benchmarks.ts';
import { percentile, spread, withFigures } from '../bench/statistics.ts';

/** In short: not how good a figure is, but whether there is one. */
describe('a benchmark', () => {
  for (const [name, measure] of Object.entries(benchmarks)) {
    it(`has its figures: ${name}`, async () => {
      const { lines } = await measure(shortSize);
      assert.ok(withFigures(lines).length > 0);
    });
  }

  it('fails without a figure', () => {
    for (const line of ['time: Runhook NaN ms (NaN–NaN)', 'undefined of 3', 'p99 Infinity ms', 'no digit']) {
      assert.throws(() => withFigures([line]), Error, line);
    }
    assert.throws(() => withFigures([]), /Nothing was measured/);
    for (const values of [[], [1, NaN], [Infinity], [undefined as unknown as number]]) {
      assert.throws(() => percentile(values, 0.5), Error);
      assert.throws(() => spread(values), Error);
    }
    assert.equal(percentile([3, 1, 2], 0.5), 2);
  });
});
