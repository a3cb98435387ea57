import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainJson } from '../../../../src/model/json/jsonScanner.ts';
import '../../../support/random/seed.ts';

describe('JSON with comments', () => {
  it('is JSON of the same length without them', () => {
    assert.equal(plainJson('[1, // one\n 2, ]'), '[1,       \n 2  ]');
    assert.equal(plainJson('{"a": "//", /* x */}'), '{"a": "//"         }');
  });

  it('is left as it is where it has none', () => {
    fc.assert(fc.property(fc.json(), (text) => assert.equal(plainJson(text), text)));
  });

  it('keeps the place of every character', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[],:"/*\\\n1a '.split('')) }), (text) => {
        const plain = plainJson(text);
        assert.equal(plain.length, text.length);
        for (const [at, character] of Array.from(plain).entries()) {
          assert.ok(character === text[at] || character === ' ');
        }
      }),
    );
  });
});
