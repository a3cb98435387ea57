import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'undici';
import type { SandboxFault } from '../../../../src/model/service/sandboxFault.ts';
import type { SandboxServer } from '../../../../src/sandbox/sandboxServer.ts';
import { verify } from '../../../../src/webhooks/signature/signature.ts';
import { Receiver } from '../../../support/http/receiver.ts';
import { startSandboxServer } from '../../../support/service/startSandboxServer.ts';

const secret = 'held';

describe('faults of the webhook, asked for by a header of the run', () => {
  let sandbox: SandboxServer;
  let receiver: Receiver;

  beforeEach(async () => {
    sandbox = await startSandboxServer();
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await sandbox.close();
    await receiver.close();
  });

  async function run(fault: SandboxFault | 'none', body = '{}'): Promise<void> {
    const { proxyUrl, projectId, token } = sandbox.address;
    const target = `${proxyUrl}/v4/${projectId}/echo/run?webhookEndpoint=${encodeURIComponent(receiver.url)}`;
    const answer = await request(target, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'x-webhook-secret': secret, 'x-sandbox-fault': fault },
      body,
    });
    assert.equal(answer.statusCode, 200, 'the answer of the run is as ever');
    await answer.body.dump();
  }

  const verdictOf = (index: number) => {
    const { headers, body } = receiver.received[index]!;
    return verify(headers, body, [secret], Date.now() / 1000, 300).verdict;
  };

  const verdicts = [
    ['none', 'verified'],
    ['bad-signature', 'mismatch'],
    ['body-changed', 'mismatch'],
    ['stale-timestamp', 'stale'],
    ['missing-header', 'malformed'],
  ] as const;
  for (const [fault, verdict] of verdicts) {
    it(`${fault}: the webhook is ${verdict}`, async () => {
      await run(fault);
      await receiver.count(1);
      assert.equal(verdictOf(0), verdict);
    });
  }

  it('repeat: it comes twice, and both are right', async () => {
    await run('repeat');
    await receiver.count(2);
    assert.deepEqual([verdictOf(0), verdictOf(1)], ['verified', 'verified']);
  });

  it('out-of-order: it comes after that of a later run', async () => {
    await run('out-of-order', '"first"');
    await run('none', '"second"');
    const bodies = (await receiver.count(2)).map(({ body }) => body.toString());
    assert.match(bodies[0]!, /second/);
    assert.match(bodies[1]!, /first/);
  });

  for (const fault of ['hang', 'slow'] as const) {
    it(`${fault}: only a part of it comes at first`, async () => {
      const arrived = Promise.withResolvers<{ bytes: number; of: number }>();
      receiver.raw = (incoming) => {
        const of = Number(incoming.headers['content-length']);
        once(incoming, 'data').then(
          ([part]: Buffer[]) => arrived.resolve({ bytes: part!.byteLength, of }),
          arrived.reject,
        );
      };
      await run(fault);
      const { bytes, of } = await arrived.promise;
      assert.ok(bytes > 0 && bytes <= of / 2 + 1, `${bytes} bytes of ${of}`);
    });
  }
});
