import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac, randomBytes, randomInt, randomUUID, subtle } from 'node:crypto';
import { sign } from '../../../src/service/signature/signature.ts';

interface Webhook {
  secret: string;
  requestId: string;
  timestamp: string;
  body: Buffer;
}

/** Secrets around the block of the hash, in and beyond ASCII; bodies around the length from which they are not copied. */
function anyWebhook(): Webhook {
  const letter = (): string =>
    String.fromCodePoint(
      ...[randomInt(33, 127), randomInt(0xa1, 0x2000), 0x1f680].slice(randomInt(3)).slice(0, 1),
    );
  const bodyBytes = [randomInt(64), randomInt(4096), 8192 + randomInt(-100, 100), randomInt(70_000)];
  return {
    secret: Array.from({ length: randomInt(1, 140) }, letter).join(''),
    requestId: randomInt(2) === 0 ? randomUUID() : randomBytes(randomInt(1, 80)).toString('base64url'),
    timestamp: String(randomInt(2 ** 40)),
    body: randomBytes(bodyBytes[randomInt(4)] ?? 0),
  };
}

/** The bytes that are signed (service-interface.md, section 6). */
function contentOf({ requestId, timestamp, body }: Webhook): Buffer {
  return Buffer.concat([Buffer.from(`${requestId}.${timestamp}.`), body]);
}

function isThere(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0 || spawnSync(program, ['version']).status === 0;
}

function run(program: string, args: string[], input: Buffer | string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { input, maxBuffer: 1 << 26 });
  assert.equal(status, 0, stderr.toString());
  return stdout.toString();
}

describe('a signature, beside other implementations', () => {
  const webhooks = Array.from({ length: 1000 }, anyWebhook);
  const ours = ({ secret, requestId, timestamp, body }: Webhook) => sign(secret, requestId, timestamp, body);

  it('is what createHmac and WebCrypto make', async () => {
    for (const webhook of webhooks) {
      const content = contentOf(webhook);
      assert.equal(
        ours(webhook),
        createHmac('sha256', Buffer.from(webhook.secret)).update(content).digest('hex'),
      );
      const algorithm = { name: 'HMAC', hash: 'SHA-256' };
      const key = await subtle.importKey('raw', Buffer.from(webhook.secret), algorithm, false, ['sign']);
      assert.equal(ours(webhook), Buffer.from(await subtle.sign('HMAC', key, content)).toString('hex'));
    }
  });

  if (isThere('openssl')) {
    it('is what openssl makes', () => {
      for (const webhook of webhooks.slice(0, 50)) {
        const key = `hexkey:${Buffer.from(webhook.secret).toString('hex')}`;
        const theirs = run(
          'openssl',
          ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', key],
          contentOf(webhook),
        );
        assert.equal(/[0-9a-f]{64}/.exec(theirs)?.[0], ours(webhook));
      }
    });
  }
});
