import assert from 'node:assert/strict';
import { jsonCursor } from '../../../../src/model/json/jsonCursor.ts';
import { assertLinear } from '../../../support/time/assertLinear.ts';

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
