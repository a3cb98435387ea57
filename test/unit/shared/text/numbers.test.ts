import assert from 'node:assert/strict';
import { readBundle } from '../../../../scripts/l10n/bundles.ts';
import { bytesText } from '../../../../src/shared/text/bytesText.ts';
import { durationText } from '../../../../src/shared/text/durationText.ts';
import { useBundle } from '../../../../src/shared/text/l10n.ts';

describe('a size', () => {
  it('is short, and the same in a line, a row and a response', () => {
    const sizes = [0, 1023, 1024, 10_188, 10_189, 65_536, 1024 * 1024, 11 * 1024 * 1024];
    assert.deepEqual(sizes.map(bytesText), [
      '0 B',
      '1023 B',
      '1.0 KB',
      '9.9 KB',
      '10 KB',
      '64 KB',
      '1.0 MB',
      '11 MB',
    ]);
  });
});

describe('sizes and durations', () => {
  after(() => useBundle({}));

  for (const [language, said] of [
    ['de', ['2,5 s', '1,2 KB']],
    ['ja', ['2.5 s', '1.2 KB']],
  ] as const) {
    it(`have the decimal mark of the language, ${language}`, () => {
      useBundle(readBundle(language));
      assert.deepEqual([durationText(2500), bytesText(1200)], said);
    });
  }
});
