import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fewJsonTokens, prettyJson } from '../../../../src/model/json/jsonText.ts';

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
