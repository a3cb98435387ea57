import assert from 'node:assert/strict';
import { jsonPlaces } from '../../../../src/model/json/jsonPlaces.ts';

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
