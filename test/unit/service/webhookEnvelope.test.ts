import assert from 'node:assert/strict';
import { webhookEnvelope } from '../../../src/service/webhookEnvelope.ts';

describe('the envelope of a webhook', () => {
  const call = { runId: 'run-1', appName: 'hel"lo', status: 200 };

  it('holds the run, the app, its status, its answer and a Unix time', () => {
    assert.deepEqual(JSON.parse(webhookEnvelope({ ...call, result: '{"a":[1]}' }, 1_700_000_000_999)), {
      run_id: 'run-1',
      app_name: 'hel"lo',
      status: 200,
      result: { a: [1] },
      timestamp: 1_700_000_000,
    });
  });

  it('takes the answer as it was written: digits, order and spaces', () => {
    for (const result of [
      '{"n": 12345678901234567890, "f":1.0,"e":1e400}',
      '[ ]',
      '"\\u00e9"',
      'null',
      '-0',
    ]) {
      assert.ok(webhookEnvelope({ ...call, result }, 0).includes(`"result":${result},`), result);
    }
  });

  it('says where the answer is base64, cut, or broken off, and is silent otherwise', () => {
    const marked = {
      resultEncoding: 'base64',
      truncated: true,
      resultBytes: 9,
      error: 'It broke off.',
    } as const;
    const envelope = JSON.parse(webhookEnvelope({ ...call, result: '""', ...marked }, 0)) as object;
    assert.deepEqual(Object.keys(envelope), [
      ...[
        'run_id',
        'app_name',
        'status',
        'result',
        'result_encoding',
        'truncated',
        'result_bytes',
        'error',
        'timestamp',
      ],
    ]);
  });
});
