import assert from 'node:assert/strict';
import { gaveSecret } from '../../../../src/model/runs/givenSecret.ts';
import type { Run } from '../../../../src/model/runs/run.ts';

const input = { projectId: 'p', appName: 'echo', path: 'run', method: 'POST', headers: {}, webhook: true };

function run(more: Partial<Run> = {}): Run {
  return { id: 'r', input, startedAt: 0, outcome: { kind: 'running' }, ...more };
}

describe('whether Runhook gave a run its secret', () => {
  it('is known by the id of the run, or by its delivery', () => {
    assert.equal(gaveSecret([run(), run({ runId: 'run-1' })], { id: 'd', runId: 'run-1' }), true);
    const delivery = { id: 'd', verdict: 'mismatch' as const, receivedAt: '', repeats: 0 };
    assert.equal(gaveSecret([run({ delivery })], { id: 'd' }), true);
  });

  it('is not so where no run of this window fits, not even one whose id is not known', () => {
    assert.equal(gaveSecret([run(), run({ runId: 'run-1' })], { id: 'd', runId: 'run-2' }), false);
    assert.equal(gaveSecret([run()], { id: 'd' }), false);
  });

  it('is not so where it went unsigned, or without a webhook', () => {
    const of = (more: Partial<Run['input']>) =>
      gaveSecret([run({ runId: 'run-1', input: { ...input, ...more } })], { id: 'd', runId: 'run-1' });
    assert.equal(of({ signing: 'unsigned' }), false);
    assert.equal(of({ webhook: false }), false);
    assert.equal(of({ signing: 'once' }), true);
    assert.equal(of({ webhook: 'https://example.com/' }), true);
  });
});
