import assert from 'node:assert/strict';
import { toolText } from '../../../../src/model/agents/toolText.ts';
import { masked } from '../../../../src/model/masking/masking.ts';
import { SecretMask } from '../../../../src/model/masking/secretMask.ts';

describe('toolText', () => {
  const secret = 'kF3-x9/_Qm7zT+pe';
  const mask = new SecretMask([secret]);

  it('is the value as JSON', () => {
    const value = [{ id: 'a', verdict: 'verified', forward: { status: 200 } }];
    assert.deepEqual(JSON.parse(toolText(value, mask)), value);
  });

  it('is null where a command returns nothing', () => {
    assert.equal(toolText(undefined, mask), 'null');
  });

  it('cuts a long text, and says so', () => {
    const { body } = JSON.parse(toolText({ body: 'x'.repeat(10_000) }, mask)) as { body: string };
    assert.match(body, /^x{4000}… \(cut here, after 4000 characters\)$/);
  });

  it('cuts a long answer, and says so', () => {
    const text = toolText(
      Array.from({ length: 100 }, () => ({ body: 'x'.repeat(3000) })),
      mask,
    );
    assert.match(text, /^.{100000}… \(cut here, after 100000 characters\)$/s);
  });

  it('has no value of the mask, nor the beginning of one where a text is cut, here or before', () => {
    const told = JSON.parse(
      toolText(
        {
          [secret]: [secret, { token: `is ${secret}` }],
          here: `${'x'.repeat(3990)}${secret}`,
          before: `${'x'.repeat(100)} ${secret.slice(0, 12)}`,
        },
        mask,
      ),
    ) as Record<string, unknown>;
    assert.deepEqual(told[masked], [masked, { token: `is ${masked}` }]);
    assert.match(String(told.here), /^x{3990}•{8}$/);
    assert.match(String(told.before), /^x{100} •{8}$/);
  });
});
