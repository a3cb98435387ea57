import assert from 'node:assert/strict';
import { percentile } from '../../../../../src/model/runs/series/percentile.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => count - index);

describe('a percentile', () => {
  const cases: [values: number[], p50: number | undefined, p95: number | undefined][] = [
    [[], undefined, undefined],
    [[7], 7, 7],
    [[9, 1], 1, 9],
    [[3, 1, 2], 2, 3],
    [upTo(10), 5, 10],
    [upTo(19), 10, 19],
    [upTo(20), 10, 19],
    [upTo(100), 50, 95],
    [[2, 10, 1], 2, 10],
  ];
  for (const [values, p50, p95] of cases) {
    it(`of ${values.length} values is one of them: ${p50}, ${p95}`, () => {
      const before = [...values];
      assert.deepEqual([percentile(values, 50), percentile(values, 95)], [p50, p95]);
      assert.deepEqual(values, before);
    });
  }
});
