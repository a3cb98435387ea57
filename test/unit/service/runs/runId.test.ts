import assert from 'node:assert/strict';
import fc from 'fast-check';
import { runIdIn } from '../../../../src/service/runs/runId.ts';
import { findRunId } from '../../../support/untrusted/findRunId.ts';
import { assertLinear } from '../../../support/time/assertLinear.ts';

describe('finding the id of a run (service-interface.md, section 6: `run_id`)', () => {
  const found: [string, unknown, string][] = [
    ['at the top', { run_id: 'r-1' }, 'r-1'],
    ['in camel case', { runId: 'r-1' }, 'r-1'],
    ['as a number', { run_id: 17 }, '17'],
    ['in a wrapper', { data: { run_id: 'r-1' } }, 'r-1'],
    ['two wrappers in', { data: { run: { run_id: 'r-1' } } }, 'r-1'],
    ['rather at the top than in what the app said', { result: { run_id: 'theirs' }, run_id: 'r-1' }, 'r-1'],
  ];
  for (const [where, value, id] of found) {
    it(where, () => {
      assert.equal(findRunId(value), id);
      assert.equal(runIdIn(JSON.stringify(value, null, 1)), id);
    });
  }

  it('finds none where there is none', () => {
    for (const value of [
      undefined,
      null,
      'run_id',
      3,
      [],
      {},
      { run_id: '' },
      { run_id: null },
      { id: 'x' },
    ]) {
      assert.equal(findRunId(value), undefined);
    }
  });

  it('does not dig through what an app returned', () => {
    assert.equal(findRunId({ a: { b: { c: { run_id: 'deep' } } } }), undefined);
    assert.equal(findRunId({ results: [{ run_id: 'one of many' }] }), undefined);
  });

  describe('in a text', () => {
    it('finds the same as in its value', () => {
      const key = fc.constantFrom('run_id', 'runId', 'runID', 'a', 'b', '"', '\\');
      const leaf = fc.constantFrom('r-1', '', 'r "2"', 17, -1.5, null, true, '}', '[');
      const value = fc.letrec((tie) => ({
        node: fc.oneof(
          { maxDepth: 5 },
          leaf,
          fc.array(tie('node'), { maxLength: 3 }),
          fc.dictionary(key, tie('node'), { maxKeys: 4, noNullPrototype: true }),
        ),
      })).node;
      fc.assert(
        fc.property(value, fc.constantFrom(undefined, 2), (one, indent) => {
          assert.equal(runIdIn(JSON.stringify(one, null, indent)), findRunId(one));
        }),
        { numRuns: 5000 },
      );
    });

    it('keeps the digits of a number', () => {
      assert.equal(runIdIn('{"run_id": 12345678901234567890}'), '12345678901234567890');
    });

    it('finds none in what is not JSON', () => {
      for (const text of ['', '{', '{"data":{"run_id":"r-1"}', '{"a":{"run_id":"r-1"}}}', 'run_id']) {
        assert.equal(runIdIn(text), undefined, text);
      }
    });

    it('takes no longer than the text is long, and does not read a long one to its end', () => {
      const deep = (depth: number): string => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`;
      assertLinear(20_000, (depth) => assert.equal(runIdIn(deep(depth)), undefined));
      const wide = (count: number): string => `{"a":[${'[],'.repeat(count)}0],"run_id":"r-1"}`;
      assert.equal(runIdIn(wide(100_000)), 'r-1');
      assert.equal(runIdIn(wide(3_000_000)), undefined);
    });
  });
});
