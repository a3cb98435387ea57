import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isJson, scanJson } from '../../../../src/model/json/jsonScanner.ts';

/** The tokens of a text, and how deep each lies. */
function tokens(text: string): [string, number][] {
  const found: [string, number][] = [];
  scanJson(text, (start, end, depth) => found.push([text.slice(start, end), depth]) > 0);
  return found;
}

const go = (): boolean => true;
const compact = (text: string) =>
  tokens(text)
    .map(([token]) => token)
    .join('');

describe('the JSON scanner', () => {
  it('names each token as it is written, with the brackets around it', () => {
    assert.deepEqual(tokens(' {"a\\"\\u00e9": [1.50, -2e+3,true],\n"b":{} }\t'), [
      ['{', 0],
      ['"a\\"\\u00e9"', 1],
      [':', 1],
      ['[', 1],
      ['1.50', 2],
      [',', 2],
      ['-2e+3', 2],
      [',', 2],
      ['true', 2],
      [']', 1],
      [',', 1],
      ['"b"', 1],
      [':', 1],
      ['{', 1],
      ['}', 1],
      ['}', 0],
    ]);
  });

  it('finds a token of JSON in each piece of what is JSON', () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '"a"',
        '"a":',
        '1',
        '01',
        '-',
        '1.',
        '1e5',
        'true',
        'nul',
        ' ',
        '\n',
      ],
      ...['\\', '\\"', '\\u12', '"\\u12Af"', '\u0001', '\u00a0', '[]', '{}', '{"a":1}', 'null', '\ufeff'],
    );
    const texts = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.json(),
      fc
        .tuple(fc.json(), fc.nat(), piece)
        .map(([json, at, one]) => json.slice(0, at % 40) + one + json.slice(at % 40)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        if (isJson(text)) assert.equal(scanJson(text, go), 'end');
        if (isJson(text))
          assert.equal(JSON.stringify(JSON.parse(compact(text))), JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 20_000 },
    );
  });

  const others = [
    '// a comment\n{}',
    '/* and another */ 1',
    '"\n"',
    '"\u0001"',
    '"\\q"',
    '"open',
    '1.',
    '-',
    'nul',
    '\u00a0',
  ];
  for (const text of others) {
    it(`ends at what is no token of JSON: ${JSON.stringify(text)}`, () => {
      assert.equal(scanJson(text, go), 'notJson');
    });
  }

  it('says where it was stopped', () => {
    assert.equal(
      scanJson('[1,2]', (_start, end) => end < 3),
      'stopped',
    );
  });

  const count = 1024 * 1024;
  const large: [what: string, text: string][] = [
    ['what nests without end', '['.repeat(count) + ']'.repeat(count)],
    ['what is never closed', '{"a":'.repeat(count)],
    ['a string of escapes', `"${'\\"'.repeat(count)}"`],
    ['one long string', `"${'é✓'.repeat(count)}"`],
    ['one long number', '1'.repeat(count)],
    ['white space', `${' '.repeat(count)}0`],
  ];
  for (const [what, text] of large) {
    it(`reads ${what}`, () => {
      assert.equal(scanJson(text, go), 'end');
    });
  }
});
