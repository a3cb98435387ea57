import assert from 'node:assert/strict';
import { findRunId } from '../../../src/model/runId.ts';

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
});
