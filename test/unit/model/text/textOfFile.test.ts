import assert from 'node:assert/strict';
import fc from 'fast-check';
import { textOfFile } from '../../../../src/model/text/textOfFile.ts';

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

describe('the text of a file that a user gives', () => {
  it('is the same however an editor saved it', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((one) => !/^\ufeff|\0/.test(one));
    fc.assert(
      fc.property(text, (written) => {
        const marked = `\ufeff${written}`;
        const saved = [Buffer.from(written), Buffer.from(marked), utf16(marked), utf16(marked).swap16()];
        for (const bytes of saved) assert.equal(textOfFile(bytes), written);
      }),
    );
  });

  for (const [what, bytes] of [
    ['Latin-1', Buffer.from('größe', 'latin1')],
    ['UTF-16 without a mark', utf16('secret')],
    ['UTF-16 that is cut', utf16('\ufeffab').subarray(0, 5)],
    ['half a character of UTF-16', utf16('\ufeffa\ud83d')],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
    ['a character that is cut', Buffer.from('é').subarray(0, 1)],
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ] as const) {
    it(`is refused where it is ${what}`, () => {
      assert.throws(() => textOfFile(bytes), { name: 'UserError', message: /^It is not UTF-8\./ });
    });
  }
});
