import assert from 'node:assert/strict';
import { runLines } from '../../../../src/model/tasks/runLines.ts';

describe('the lines of an answer in a terminal', () => {
  it('are its status and its body, a value a line', () => {
    assert.deepEqual(runLines({ status: 200, runId: 'run-1', body: { name: 'Ada' } }), [
      'Answered 200, run run-1.',
      '  {',
      '    "name": "Ada"',
      '  }',
    ]);
    assert.deepEqual(runLines({ status: 500, body: 'one\r\ntwo\n' }), ['Answered 500.', '  one', '  two']);
    assert.deepEqual(runLines({ status: 204, body: '' }), ['Answered 204.']);
  });

  it('leave out what cannot be read, and what is long', () => {
    assert.deepEqual(runLines({ status: 200, body: 'AAEC', bodyEncoding: 'base64' }), ['Answered 200.']);
    const many = runLines({ status: 200, body: 'x\n'.repeat(1000) });
    assert.deepEqual([many.length, many.at(-1)], [42, '  …']);
    const [, long] = runLines({ status: 200, body: 'x'.repeat(1000).replace('x', 'y') });
    assert.equal(long?.length, 402);
  });

  it('have no token in them', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJlLW9mLWl0';
    for (const body of [{ token }, `Bearer ${token}`]) {
      assert.ok(!runLines({ status: 200, body }).join('\n').includes('eyJ'));
    }
  });
});
