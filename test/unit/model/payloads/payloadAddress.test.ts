import assert from 'node:assert/strict';
import { payloadAddress } from '../../../../src/model/payloads/payloadAddress.ts';

describe('whom a payload is for', () => {
  it('is what its block says, comments or not', () => {
    const text = '// x\n{"$runhook": {"app": "hello", "project": "p-1",}, "a": 1}';
    assert.deepEqual(payloadAddress(text), { app: 'hello', project: 'p-1' });
  });

  for (const text of [
    '',
    '{',
    '{"$runhook": 1}',
    '{"$runhook": {"app": 1}}',
    '["$runhook"]',
    '{"app": "x"}',
  ]) {
    it(`is not said by ${JSON.stringify(text)}`, () => assert.deepEqual(payloadAddress(text), {}));
  }

  it('is said by none that nests beyond all reading', () => {
    assert.deepEqual(payloadAddress(`{"$runhook": {"app": "x"}, "a": ${'['.repeat(100_000)}`), {});
  });
});
