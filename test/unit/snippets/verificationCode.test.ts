import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { verificationCode, verificationTargets } from '../../../src/webhooks/signature/verificationCode.ts';
import { signatureCases } from '../../support/signatureCases.ts';

const snippets = fileURLToPath(new URL('../../../media/snippets/', import.meta.url));
const read = (file: string) => readFile(join(snippets, file), 'utf8');

function target(id: string) {
  const found = verificationTargets.find((one) => one.id === id);
  assert.ok(found, id);
  return found;
}

describe('verification code', () => {
  for (const one of verificationTargets) {
    it(`${one.title}: is one file that reads the secret from the environment`, async () => {
      const code = await verificationCode(one, read);
      assert.doesNotMatch(code, /verify\.ts|from verify import/);
      assert.match(code, /WEBHOOK_SECRET/);
      assert.match(code, /x-service-webhook-signature/i);
    });
  }

  it("carries the vendor's name in the header names", async () => {
    assert.match(await verificationCode(target('go'), read, 'acme-hub'), /"X-Acme-Hub-Webhook-Signature"/);
    assert.match(await verificationCode(target('flask'), read, 'acme'), /"x-acme-webhook-timestamp"/);
    const hostile = await verificationCode(target('node'), read, "a'); evil('");
    assert.doesNotMatch(hostile, /evil/);
  });

  it('in TypeScript judges every signature case rightly', async () => {
    const module = (await import(pathToFileURL(join(snippets, 'typescript/verify.ts')).href)) as {
      verifyWebhook: (
        header: (name: string) => string | undefined,
        body: Uint8Array,
        secret: string,
        now: number,
      ) => boolean;
    };
    for (const { name, heldSecret, clock, headers, bodyBase64, verdict } of signatureCases) {
      const byName = new Map(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
      const body = Buffer.from(bodyBase64, 'base64');
      const genuine = module.verifyWebhook((key) => byName.get(key), body, heldSecret, clock);
      assert.equal(genuine, verdict === 'verified', name);
    }
  });
});
