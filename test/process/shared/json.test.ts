import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isJson, scanJson } from '../../../src/shared/json/jsonScanner.ts';
import { inKeyOrderOf } from '../../../src/shared/json/keyOrder.ts';
import { deeplyNestedJson, hostileInputs } from '../../support/untrusted/hostileInputs.ts';

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

describe('a JSON text in the order of another', () => {
  it('has the keys of that one first, and its own behind', () => {
    assert.equal(
      inKeyOrderOf('{"b":0,"a":0}', '{"new":3,"a":1,"more":4,"b":2}'),
      '{"b":2,"a":1,"new":3,"more":4}',
    );
  });

  it('is ordered all the way down, and in lists place by place', () => {
    const model = '{"list":[{"b":0,"a":0},{"d":0,"c":0}],"in":{"y":{"q":0,"p":0},"x":0}}';
    const text = '{"in":{"x":1,"y":{"p":1,"q":1}},"list":[{"a":1,"b":1},{"c":1,"d":1},{"a":1,"b":1}]}';
    assert.equal(
      inKeyOrderOf(model, text),
      '{"list":[{"b":1,"a":1},{"d":1,"c":1},{"b":1,"a":1}],"in":{"y":{"q":1,"p":1},"x":1}}',
    );
  });

  it('keeps digits, escapes and keys that stand there twice', () => {
    const text = '{"n":12345678901234567890.10,"a":"h\\u00e9","n":1e400,"__proto__":-0}';
    assert.equal(
      inKeyOrderOf('{"__proto__":0,"\\u0061":0}', text),
      '{"__proto__":-0,"a":"h\\u00e9","n":12345678901234567890.10,"n":1e400}',
    );
  });

  it('is left as it is where one of the two is not JSON, or of another kind', () => {
    for (const text of ['', 'no', '{"b":1,"a":2', '[1, 2]', '{"b": 1, "a": 2}\n']) {
      assert.equal(inKeyOrderOf('not JSON', text), text);
    }
    assert.equal(inKeyOrderOf('{"a":1}', 'b=1&a=2'), 'b=1&a=2');
    assert.equal(inKeyOrderOf('{"a":1}', '[3,1,2]'), '[3,1,2]');
    assert.equal(inKeyOrderOf('[{"b":1,"a":1}]', '{"a":1,"b":2}'), '{"a":1,"b":2}');
  });

  it('holds the same values, and ordered like itself nothing but its white space changes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue({ maxDepth: 5 }), (one, other) => {
        const text = JSON.stringify(one, null, 1);
        assert.deepEqual(JSON.parse(inKeyOrderOf(JSON.stringify(other), text)), JSON.parse(text));
        assert.equal(inKeyOrderOf(text, text), JSON.stringify(one));
      }),
    );
  });

  it('stands what is made to be slow or deep', () => {
    for (const text of [...hostileInputs.map(({ text }) => text(200_000)), ...deeplyNestedJson(100_000)]) {
      const made = inKeyOrderOf('{"keys":[{"id":1}],"a":1}', inKeyOrderOf(text, text));
      assert.ok(made.length <= text.length);
    }
  });
});
