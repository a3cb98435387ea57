import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainLine } from '../../../src/model/untrustedText.ts';

describe('text from the service', () => {
  it('becomes one line', () => {
    assert.equal(plainLine('a\r\nb\u2028c\td\u0000e\u001b[31m'), 'a b c d e [31m');
  });
  it('keeps its direction', () => {
    assert.equal(plainLine('abc\u202egnp.exe'), 'abc gnp.exe');
  });
  it('draws no icon', () => {
    assert.doesNotMatch(plainLine('$(trash) $(sync~spin)'), /\$\(/);
  });
  it('is cut', () => {
    assert.equal(plainLine('x'.repeat(10_000)), `${'x'.repeat(120)}…`);
  });
  it('is well formed and short, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const line = plainLine(text, 50);
        assert.ok(line.isWellFormed() && line.length <= 120 && !/[\p{Cc}]/u.test(line));
      }),
    );
  });
});
