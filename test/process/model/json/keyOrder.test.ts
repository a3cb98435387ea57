import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inKeyOrderOf } from '../../../../src/model/json/keyOrder.ts';
import { deeplyNestedJson, hostileInputs } from '../../../support/untrusted/hostileInputs.ts';

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
