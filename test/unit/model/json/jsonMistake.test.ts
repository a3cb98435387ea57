import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonMistake } from '../../../../src/model/json/jsonMistake.ts';

const told = (text: string) => jsonMistake(text);

describe('what is wrong with a text that is not JSON', () => {
  const rows: [string, string][] = [
    ['', 'It is empty.'],
    [' \n', 'It is empty.'],
    ['{', 'It ends too early.'],
    ['{"a": tru', 'It ends too early.'],
    ['"abc', 'It ends too early.'],
    ['{"a": }', 'The mistake is in line 1, column 7.'],
    ['{\n "a": 1,\n}', 'The mistake is in line 3, column 1.'],
    ['// a comment\n{}', 'The mistake is in line 1, column 1.'],
    ['{"a": "\n"}', 'The mistake is in line 1, column 8.'],
    ['{"a": 01}', 'The mistake is in line 1, column 8.'],
    ['{"a": "\\q"}', 'The mistake is in line 1, column 9.'],
    ['{} x', 'The mistake is in line 1, column 4.'],
    [`[${'1,'.repeat(600_000)}]`, 'The editor underlines the mistake.'],
  ];
  for (const [text, expected] of rows) {
    it(`is said of ${JSON.stringify(text.slice(0, 40))}`, () => assert.equal(told(text), expected));
  }

  it('is where it is, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, place) => {
        const at = place % (text.length + 1);
        const column = `column ${at + 1}.`;
        assert.ok(told(`${text.slice(0, at)}\u0001${text.slice(at)}`).endsWith(column));
      }),
    );
  });

  it('is nothing but the end in the beginning of JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, place) => {
        const beginning = text.slice(0, 1 + (place % text.length));
        assert.match(told(beginning), /too early/);
      }),
    );
  });
});
