import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Capture } from '../../../../src/sandbox/runProxy/runProxy.ts';
import { maxWebhookBytes, webhookBody } from '../../../../src/sandbox/webhook/webhookBody.ts';

const call = { runId: 'run-1', appName: 'hello', status: 200 };
const mib = 1024 * 1024;

/** The webhook of an app that answers that. */
function webhookOf(answer: Buffer | string, contentType = 'application/json') {
  const capture = new Capture();
  const bytes = Buffer.from(answer);
  for (let at = 0; at < bytes.length; at += 64 * 1024) capture.add(bytes.subarray(at, at + 64 * 1024));
  const { body, cutFrom } = webhookBody(call, capture.result(contentType), 0);
  assert.ok(body.byteLength <= maxWebhookBytes, String(body.byteLength));
  return { bytes: body.byteLength, cutFrom, said: JSON.parse(body.toString()) as Record<string, unknown> };
}

describe('the body of a webhook', () => {
  it('holds the whole of an answer that leaves room for the envelope', () => {
    const around = webhookOf('""').bytes - 2;
    const longest = `"${'x'.repeat(maxWebhookBytes - around - 2)}"`;
    const { bytes, said, cutFrom } = webhookOf(longest);
    assert.equal(bytes, maxWebhookBytes);
    assert.equal(said['result'], JSON.parse(longest));
    assert.equal(cutFrom, undefined);
    assert.equal(webhookOf(`"${longest.slice(1, -1)}x"`).cutFrom, longest.length + 1);
  });

  it('holds the beginning of a longer one, as much as there is room for, and says so', () => {
    const answers: [what: string, answer: Buffer | string, type?: string][] = [
      ['JSON', JSON.stringify(Array.from({ length: 1_300_000 }, (_, index) => index + 1e7))],
      ['more than is kept', `["${'x'.repeat(11 * mib)}"]`],
      ['text', 'é✓😀\n'.repeat(mib), 'text/plain'],
      ['text that grows in JSON', '\u0001'.repeat(3 * mib), 'text/plain'],
      ['text of many kinds', '"\\\u0007é😀a'.repeat(mib), 'text/plain'],
    ];
    for (const [what, answer, type] of answers) {
      const { bytes, said, cutFrom } = webhookOf(answer, type);
      const length = Buffer.byteLength(answer);
      assert.equal(cutFrom, length, what);
      assert.deepEqual([said['truncated'], said['result_bytes']], [true, length], what);
      assert.ok(answer.toString().startsWith(said['result'] as string), what);
      assert.ok(bytes > maxWebhookBytes - 12, `${what}: ${bytes}`);
    }
  });

  it('holds the beginning of bytes that are no text, in base64', () => {
    for (const length of [8 * mib, 11 * mib]) {
      const answer = Buffer.alloc(length, 0xff);
      const { bytes, said } = webhookOf(answer, 'image/png');
      assert.equal(said['result_encoding'], 'base64');
      const held = Buffer.from(said['result'] as string, 'base64');
      assert.deepEqual(held, answer.subarray(0, held.length));
      assert.ok(bytes > maxWebhookBytes - 4, String(bytes));
    }
  });

  it('cuts no character in two, whatever it is', () => {
    const ends = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(ends, fc.integer({ min: 0, max: 400 }), (end, before) => {
        const answer = 'x'.repeat(maxWebhookBytes - before) + end.repeat(40).toWellFormed();
        const { said } = webhookOf(answer, 'text/plain');
        const result = said['result'] as string;
        assert.ok(result.isWellFormed());
        assert.ok(answer.startsWith(result));
      }),
      { numRuns: 6 },
    );
  });
});
