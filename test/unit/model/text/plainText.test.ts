import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainText } from '../../../../src/model/text/plainText.ts';

describe('a text that somebody else wrote, for a label', () => {
  it('leaves words as they are', () => {
    assert.equal(plainText('hello run-8f3c21'), 'hello run-8f3c21');
  });

  it('draws no icon', () => {
    assert.doesNotMatch(plainText('$(error) $($(bug))'), /\$\(/);
  });

  it('keeps its direction and its colour', () => {
    assert.equal(plainText('abc\u202egnp.exe \u001b[31mred'), 'abc gnp.exe  [31mred');
  });

  it('is cut, be it between the halves of a character', () => {
    assert.equal(plainText('x'.repeat(10_000), 5), 'xxxx…');
    assert.ok(plainText('🚀🚀🚀', 4).isWellFormed());
  });

  it('stays on one line, within its length and free of what cannot be seen', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, length) => {
        const plain = plainText(text, length);
        assert.doesNotMatch(plain.replaceAll('\u200b', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        assert.ok(plain.replaceAll('\u200b', '').length <= length);
      }),
    );
  });
});
