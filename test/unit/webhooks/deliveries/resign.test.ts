import assert from 'node:assert/strict';
import { resign } from '../../../../src/webhooks/deliveries/replay.ts';
import { verify } from '../../../../src/webhooks/signature/signature.ts';

describe('a delivery that is signed anew', () => {
  const now = 1_790_000_000;
  const body = Buffer.from('{}');
  const rows: [what: string, headers: string[]][] = [
    ['has the request id that it came with', ['X-Request-Id', 'a']],
    ['gets one where it came without', []],
    ['gets one where it came with an empty one', ['X-Request-Id', ' ']],
    [
      'came with the same name twice, which a receiver reads as one',
      ['X-Request-Id', 'a', 'x-request-id', 'b '],
    ],
  ];
  for (const [what, headers] of rows) {
    it(`verifies: ${what}`, () => {
      const signed = resign(headers, body, 'secret', now * 1000);
      const asReceived = signed.map((part) => part.trim());
      assert.equal(verify(asReceived, body, ['secret'], now, 300).verdict, 'verified');
    });
  }
});
