import assert from 'node:assert/strict';
import { toolText } from '../../../../src/editor/agents/toolText.ts';

describe('toolText', () => {
  it('is the value as JSON', () => {
    const value = [{ id: 'a', verdict: 'verified', forward: { status: 200 } }];
    assert.deepEqual(JSON.parse(toolText(value)), value);
  });

  it('is null where a command returns nothing', () => {
    assert.equal(toolText(undefined), 'null');
  });

  it('cuts a long text, and says so', () => {
    const { body } = JSON.parse(toolText({ body: 'x'.repeat(10_000) })) as { body: string };
    assert.match(body, /^x{4000}… \(cut: 4000 of 10000 characters\)$/);
  });
});
