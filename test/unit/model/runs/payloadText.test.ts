import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readPayload } from '../../../../src/model/runs/payload.ts';
import { payloadText } from '../../../../src/model/runs/payloadText.ts';
import { compactJson } from '../../../../src/model/json/jsonText.ts';

const plain = { projectId: 'p', appName: 'a', path: 'run', method: 'POST', headers: {}, webhook: false };

describe('the payload of a run, written anew', () => {
  it('is the same call when it is read', () => {
    const input = fc.record({
      path: fc.constantFrom('run', 'v1/chat?stream=1'),
      method: fc.constantFrom('POST', 'PUT'),
      headers: fc.constantFrom<Record<string, string>>({}, { 'x-a': '1' }),
      body: fc.oneof(
        fc.json(),
        fc.constantFrom('{"n": 1.0, "n": 12345678901234567890}', '{"$runhook": 1}', '[]'),
      ),
    });
    fc.assert(
      fc.property(input, (one) => {
        const { path, method, headers, body = '' } = readPayload(payloadText({ ...plain, ...one }));
        assert.deepEqual(
          { path, method, headers },
          { path: one.path, method: one.method, headers: one.headers },
        );
        assert.equal(compactJson(body), compactJson(one.body));
      }),
    );
  });

  it('is laid out', () => {
    assert.equal(payloadText({ ...plain, body: '{"a":1.0}' }), '{\n  "a": 1.0\n}');
    assert.equal(payloadText({ ...plain, method: 'GET' }), '{\n  "$runhook": {\n    "method": "GET"\n  }\n}');
  });
});
