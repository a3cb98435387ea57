import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainJson } from '../../../src/shared/json/jsonScanner.ts';
import { jsonCursor } from '../../../src/shared/json/jsonCursor.ts';
import { jsonMistake } from '../../../src/shared/json/jsonMistake.ts';
import { jsonPlaces } from '../../../src/shared/json/jsonPlaces.ts';
import { fewJsonTokens, prettyJson } from '../../../src/shared/json/jsonText.ts';
import '../../support/random/seed.ts';
import { assertLinear } from '../../support/time/assertLinear.ts';

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

/** A document with `|` for the cursor → kind, path, and the text that would be replaced. */
const places: [string, 'key' | 'value' | undefined, (string | number)[], string][] = [
  ['|', 'value', [], ''],
  ['{|}', 'key', [], ''],
  ['{ | }', 'key', [], ''],
  ['{"na|"}', 'key', [], '"na"'],
  ['{"na|', 'key', [], '"na'],
  ['{"na|": 1}', 'key', [], '"na"'],
  ['{|"name": 1}', 'key', [], '"name"'],
  ['{"name": |}', 'value', ['name'], ''],
  ['{"name": "A|"}', 'value', ['name'], '"A"'],
  ['{"name": tr|}', 'value', ['name'], 'tr'],
  ['{"name": 12|}', 'value', ['name'], '12'],
  ['{"name": "A"|}', undefined, [], ''],
  ['{"name" |}', undefined, [], ''],
  ['{"name": 1 |}', undefined, [], ''],
  ['{"a": 1, |}', 'key', [], ''],
  ['{"a": {"b": [{"c": |}]}}', 'value', ['a', 'b', 0, 'c'], ''],
  ['{"a": [1, {"x": 2}, |]}', 'value', ['a', 2], ''],
  ['{"a": {"b": 1}, "d": {|}}', 'key', ['d'], ''],
  ['{"a": {}, |', 'key', [], ''],
  ['{"quote \\" : {": "x, }", "b": |}', 'value', ['b'], ''],
  ['{"quote \\" :": |}', 'value', ['quote " :'], ''],
  ['{}|', undefined, [], ''],
  ['{"a": 1}, |', undefined, [], ''],
  ['] |', undefined, [], ''],
];

describe('the cursor in a JSON document', () => {
  for (const [marked, kind, path, replaced] of places) {
    it(`${marked} → ${kind ?? 'nothing'} ${path.join('.')}`, () => {
      const offset = marked.indexOf('|');
      const text = marked.replace('|', '');
      const cursor = jsonCursor(text, offset);
      assert.equal(cursor?.kind, kind);
      if (cursor === undefined) return;
      assert.deepEqual(cursor.path, path);
      assert.equal(text.slice(cursor.start, cursor.end), replaced);
    });
  }

  it('tells whether a key has its value already', () => {
    assert.equal(jsonCursor('{"na" : 1}', 3)?.hasColon, true);
    assert.equal(jsonCursor('{"na"}', 3)?.hasColon, false);
  });

  it('reads a document of a megabyte, and takes no longer than it is long', () => {
    assertLinear(22_500, (size) => {
      const text = `{"list": [${'{"a": "b"},'.repeat(size)} ]}`;
      assert.deepEqual(jsonCursor(text, text.length - 2)?.path, ['list', size]);
    });
  });
});

const told = (text: string) => jsonMistake(text);

describe('what is wrong with a text that is not JSON', () => {
  const rows: [string, string][] = [
    ['', 'It is empty.'],
    [' \n', 'It is empty.'],
    ['{', 'It ends too early.'],
    ['{"a": tru', 'It ends too early.'],
    ['"abc', 'It ends too early.'],
    ['{"a": }', 'Line 1, column 7.'],
    ['{\n "a": 1,\n}', 'Line 3, column 1.'],
    ['// a comment\n{}', 'Line 1, column 1.'],
    ['{"a": "\n"}', 'Line 1, column 8.'],
    ['{"a": 01}', 'Line 1, column 8.'],
    ['{"a": "\\q"}', 'Line 1, column 9.'],
    ['{} x', 'Line 1, column 4.'],
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

describe('the places of JSON', () => {
  const text = '{"a": [1,\r\n {"b\\u0062": "é"}, []],\n "a b": {"c": null}, "c":\n\t[[2]]}';
  const written = (...path: (string | number)[]): string | undefined => {
    const place = jsonPlaces(text)(path);
    return place && text.slice(place.start, place.end);
  };

  it('are those of each value, by its keys and indices', () => {
    assert.equal(written(), text);
    assert.equal(written('a', 0), '1');
    assert.equal(written('a', 1, 'bb'), '"é"');
    assert.equal(written('a', 2), '[]');
    assert.equal(written('a b', 'c'), 'null');
    assert.equal(written('c', 0), '[2]');
    for (const path of [['b'], ['a', 3], ['a', '0'], ['a', 0, 0], ['__proto__']])
      assert.equal(written(...path), undefined);
    assert.equal(jsonPlaces('3')([])?.end, 1);
  });

  it('are lines and characters too, of the key where there is one', () => {
    const at = (...path: (string | number)[]) => jsonPlaces(text)(path)?.at;
    assert.deepEqual(at('a', 1), { line: 1, character: 1 });
    assert.deepEqual(at('a', 1, 'bb'), { line: 1, character: 2 });
    assert.deepEqual(at('c'), { line: 2, character: 21 });
    assert.deepEqual(at('c', 0), { line: 3, character: 2 });
  });

  it('of a key that is there twice are those of the last', () => {
    const twice = '{"a": {"b": 1}, "a": {"c": 2}}';
    assert.equal(jsonPlaces(twice)(['a'])?.start, twice.lastIndexOf('{'));
    assert.equal(jsonPlaces(twice)(['a', 'b']), undefined);
  });

  it('are none within a value that is closed, and none beyond what is remembered', () => {
    const closed = jsonPlaces('{"a": {"a": [1]}, "b": {"a": [2]}}', 'a');
    assert.equal(closed(['a'])?.end, 16);
    assert.equal(closed(['a', 'a']), undefined);
    assert.equal(closed(['b', 'a', 0])?.start, 30);
    const many = jsonPlaces(`{"a": [${'0,'.repeat(30_000)}0], "b": 1}`);
    assert.ok(many(['a', 19_000]) !== undefined);
    assert.deepEqual([many(['a', 21_000]), many(['b'])], [undefined, undefined]);
  });
});

describe('prettyJson', () => {
  it('lays out objects and keeps their numbers', () => {
    assert.equal(prettyJson('{"a":10000000000000000000000}'), '{\n  "a": 10000000000000000000000\n}');
  });
  it('leaves everything else alone', () => {
    for (const text of ['', 'hello', '3', '{"a":', 'data: {}']) assert.equal(prettyJson(text), undefined);
  });
  it('changes no token, and is what JSON.stringify would make of a text that loses nothing by it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify([value], null, space);
        const pretty = prettyJson(text) ?? '';
        assert.deepEqual(fewJsonTokens(pretty, Infinity), fewJsonTokens(text, Infinity));
        assert.equal(pretty, JSON.stringify([value], null, 2));
      }),
      { numRuns: 2000 },
    );
  });
  it('leaves alone what nests deeper than anybody reads', () => {
    assert.equal(prettyJson('['.repeat(100_000) + ']'.repeat(100_000)), undefined);
  });
});
