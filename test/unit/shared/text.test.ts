import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { setTranslate, t, useBundle } from '../../../src/shared/text/l10n.ts';
import { plainText } from '../../../src/shared/text/plainText.ts';
import { textOfFile, withoutUtf8Mark, withUtf8Mark } from '../../../src/shared/text/textOfFile.ts';
import { placeFinder } from '../../../src/shared/text/textPlace.ts';
import { readTimestamp } from '../../../src/shared/text/timestamp.ts';
import { withMessages } from '../../support/sources/withMessages.ts';

describe('messages', () => {
  it('take their arguments in order, and keep a place that has none', () => {
    assert.equal(t('{1} of {0}, {2}', 'a', 2), '2 of a, {2}');
  });

  it('come from a bundle where it has them, else in English', () => {
    withMessages({ 'Enter {0} or more.': 'Mindestens {0} eingeben.' }, () => {
      assert.equal(t('Enter {0} or more.', 1), 'Mindestens 1 eingeben.');
      assert.equal(t('Reset'), 'Reset');
    });
    assert.equal(t('Enter {0} or more.', 1), 'Enter 1 or more.');
  });

  it('come from the editor where it translates', () => {
    setTranslate((message, ...args) => [message, ...args].join('|'));
    assert.equal(t('Enter {0} or more.', 1), 'Enter {0} or more.|1');
    useBundle({});
  });
});

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

describe('a text that was made plain', () => {
  it('is plain, and stays as it is where that is done once more', () => {
    const part = fc.oneof(
      fc.constantFrom('$', '(', '$(', '](', ']', '\u200b', ' ', '\0', '…', '\ud83d', '🚀'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    const texts = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, length) => {
        const plain = plainText(text, length);
        assert.doesNotMatch(plain, /[$\]]\(/);
        assert.equal(plainText(plain, length), plain);
      }),
    );
  });
});

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

describe('places in a text', () => {
  it('are by line and character, with every kind of line end', () => {
    const text = 'a\r\nbc\rd\n';
    assert.deepEqual([0, 1, 3, 4, 6, 8].map(placeFinder(text)), [
      { line: 0, character: 0 },
      { line: 0, character: 1 },
      { line: 1, character: 0 },
      { line: 1, character: 1 },
      { line: 2, character: 0 },
      { line: 3, character: 0 },
    ]);
  });

  it('are where a walk through the text comes by', () => {
    const lineText = fc.array(fc.constantFrom('x', '\n', '\r\n', '\r'), { maxLength: 30 });
    fc.assert(
      fc.property(lineText, (parts) => {
        // What stands together is one line end.
        const text = parts.join('').replaceAll('\r\r\n', '\r\n');
        const offset = text.length;
        const lines = text.split(/\r\n|\r|\n/);
        assert.deepEqual(placeFinder(text)(offset), {
          line: lines.length - 1,
          character: lines.at(-1)!.length,
        });
      }),
    );
  });
});

describe('a timestamp', () => {
  const at = '2027-03-02T10:00:00.000Z';
  const seconds = Date.parse(at) / 1000;
  for (const value of [
    ...[at, '2027-03-02T10:00:00Z', '2027-03-02T10:00Z', '2027-03-02 10:00:00', '2027-03-02T12:30:00+02:30'],
    ...['2027-03-02T05:00:00-0500', '2027-03-02T10:00:00.000000Z', '2027-03-02 10:00:00 UTC'],
    ...['2027-03-02T10:00:00+00', '2027-03-02 10:00:00+00', '2027-03-02 11:00:00.000000+01'],
    ...['20270302T100000Z', '2027-03-02T10:00:00,000Z', '2027-03-02T10:00Z[UTC]', '2027-03-02T10:00:00+0000'],
    ...['2027-03-02 10:00:00 +0000 UTC', 'Tue, 2 Mar 2027 11:00:00 +0100', `/Date(${seconds * 1000})/`],
    'Tue Mar 02 2027 10:00:00 GMT+0000 (Coordinated Universal Time)',
    ...[{ _seconds: seconds, _nanoseconds: 0 }, { seconds: String(seconds), nanos: 0 }, { $date: at }],
    ...[{ $date: seconds * 1000 }, { $date: { $numberLong: String(seconds * 1000) } }],
    { date: '2027-03-02 10:00:00.000000', timezone_type: 3, timezone: 'UTC' },
    { date: '2027-03-02 11:00:00.000000', timezone_type: 3, timezone: 'Europe/Berlin' },
    { date: '2027-03-02 05:00:00.000000', timezone_type: 1, timezone: '-05:00' },
    { epochSecond: seconds, nano: 0 },
    { __type: 'Date', iso: at },
    ...['Tue, 02 Mar 2027 10:00:00 GMT', ' 2027-03-02t10:00:00z '],
    ...[seconds, seconds * 1e3, seconds * 1e6, seconds * 1e9, String(seconds), String(seconds * 1e3)],
  ]) {
    it(`is read: ${JSON.stringify(value)}`, () => {
      assert.equal(readTimestamp(value), Date.parse(at));
    });
  }
  it('is read: a date alone, as UTC', () => {
    assert.equal(readTimestamp('2027-03-02'), Date.parse('2027-03-02T00:00:00Z'));
  });
  for (const value of [
    ...[
      null,
      undefined,
      0,
      -5,
      NaN,
      Infinity,
      1e300,
      '',
      '0',
      'never',
      'soon',
      '12',
      '2027-13-45',
      true,
      {},
      [],
    ],
    ...['0001-01-01T00:00:00Z', '2027-02-30T00:00:00Z', '02/03/2027', 3600, '3600', { $date: 'soon' }],
    ...[
      { date: '2027-03-02 10:00:00', timezone: 'Nowhere/At all' },
      { date: '2027-03-02', hour: 10 },
    ],
    { seconds: '' },
  ]) {
    it(`is none: ${inspect(value)}`, () => {
      assert.equal(readTimestamp(value), undefined);
    });
  }
});

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
