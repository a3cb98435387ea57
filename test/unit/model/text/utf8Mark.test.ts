import assert from 'node:assert/strict';
import fc from 'fast-check';
import { withoutUtf8Mark, withUtf8Mark } from '../../../../src/model/text/textOfFile.ts';

describe('the mark of UTF-8', () => {
  it('comes off again, and what never had it stays as it is', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        assert.deepEqual(Buffer.from(withoutUtf8Mark(withUtf8Mark(bytes))), Buffer.from(bytes));
        const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
        if (!isMarked) assert.equal(withoutUtf8Mark(bytes), bytes);
      }),
    );
  });
});
