import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { WebhookAttempt } from '../../../../src/model/service/webhookAttempt.ts';
import { createLocalCa, type LocalCa } from '../../../support/http/localCa.ts';
import { Receiver, type Received } from '../../../support/http/receiver.ts';
import { type Answer, useSandbox } from '../../../support/service/useSandbox.ts';

const secret = 'a secret of the caller';

function runIdOf({ body }: Pick<Answer, 'body'>): string {
  return (body as { run_id: string }).run_id;
}

function signatureOf({ headers, body }: Received): string {
  const content = `${String(headers['x-request-id'])}.${String(headers['x-service-webhook-timestamp'])}.`;
  return `v1,${createHmac('sha256', secret).update(content).update(body).digest('hex')}`;
}

describe('service-interface.md, section 6: Events', () => {
  const service = useSandbox();

  describe('Delivery', () => {
    it('is a POST of JSON, with all that the proxy returned for the call', async () => {
      const hook = `${service.receiver.url}/hook`;
      const answer = await service.run('echo', { body: { smile: '😀' }, hook });
      const [webhook] = await service.receiver.count(1);
      assert.equal(webhook!.method, 'POST');
      assert.equal(webhook!.headers['content-type'], 'application/json');
      const sent = JSON.parse(webhook!.body.toString()) as Record<string, unknown>;
      assert.deepEqual(sent, answer.body);
      assert.equal(typeof sent['run_id'], 'string');
      assert.deepEqual((sent['result'] as { body: unknown }).body, { smile: '😀' });
      assert.ok(Math.abs(Number(sent['timestamp']) - Date.now() / 1000) < 60);
    });

    it("holds the app's response as the app wrote it: no digit of it changes", async () => {
      const text =
        '{"n":12345678901234567890,"f":1.0,"e":1e400,"z":-0,"E":1E5,"d":0.10,"d":9007199254740993}';
      service.app.otherwise = (_, response) =>
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
      await service.run('mine', { hook: service.receiver.url });
      await service.run('echo', { hook: service.receiver.url, body: text });
      const bodies = (await service.receiver.count(2)).map(({ body }) => body.toString());
      assert.ok(bodies.some((body) => body.includes(`"result":${text},`)));
      assert.ok(bodies.some((body) => body.includes(`"body":${text}}`)));
    });

    it('holds what a failing app returned as well', async () => {
      const answer = await service.run('fail', { body: { status: 503 }, hook: service.receiver.url });
      assert.equal(answer.status, 503);
      const [webhook] = await service.receiver.count(1);
      assert.deepEqual(JSON.parse(webhook!.body.toString()), answer.body);
    });

    it('can be repeated even after it was processed', async () => {
      await service.run('echo', { hook: service.receiver.url, headers: { 'x-sandbox-fault': 'repeat' } });
      const [first, second] = await service.receiver.count(2);
      assert.equal(first!.headers['x-request-id'], second!.headers['x-request-id']);
      assert.deepEqual(first!.body, second!.body);
    });
  });

  describe('Headers on a delivery, and signature verification', () => {
    it('where a secret was given: request id, Unix timestamp, and the HMAC-SHA256 of them and the body', async () => {
      await service.run('echo', { hook: service.receiver.url, secret });
      const [webhook] = await service.receiver.count(1);
      const { headers } = webhook!;
      assert.ok(headers['x-request-id']);
      assert.match(String(headers['x-service-webhook-timestamp']), /^\d{10}$/);
      assert.ok(Math.abs(Number(headers['x-service-webhook-timestamp']) - Date.now() / 1000) < 60);
      assert.equal(headers['x-service-webhook-signature'], signatureOf(webhook!));
    });

    it('the request id is unique', async () => {
      for (let count = 0; count < 3; count += 1) {
        await service.run('echo', { hook: service.receiver.url, secret });
      }
      const ids = (await service.receiver.count(3)).map(({ headers }) => headers['x-request-id']);
      assert.equal(new Set(ids).size, 3);
    });

    it('where none was given there is no signature, and never the secret or the token', async () => {
      await service.run('echo', { hook: service.receiver.url });
      await service.run('echo', { hook: service.receiver.url, secret });
      const webhooks = await service.receiver.count(2);
      const unsigned = webhooks.filter(({ headers }) => !headers['x-service-webhook-signature']);
      assert.equal(unsigned.length, 1);
      for (const { rawHeaders, body } of webhooks) {
        const all = rawHeaders.join('\n') + body.toString();
        assert.ok(!all.includes(secret) && !all.includes(service.address.token));
      }
    });
  });

  describe('Retry behaviour', () => {
    it('each row of the table, at most 3 attempts, and a failure is only logged', async () => {
      const rows = [
        ['drop', 3],
        [404, 3],
        [400, 1],
        [429, 1],
        [500, 1],
        [503, 1],
        [301, 3],
        [204, 1],
      ] as const;
      const results = await Promise.all(
        rows.map(async ([behaviour, attempts]) => {
          const endpoint = await Receiver.start();
          endpoint.otherwise = behaviour;
          const answer = await service.run('echo', { body: { behaviour }, hook: endpoint.url, secret });
          assert.equal(answer.status, 200);
          await endpoint.count(attempts);
          return { behaviour, attempts, endpoint, runId: runIdOf(answer) };
        }),
      );
      // Long enough for a fourth attempt, or for a second one that must not come.
      await new Promise((resolve) => setTimeout(resolve, 2500));
      for (const { behaviour, attempts, endpoint, runId } of results) {
        const received = [...endpoint.received];
        await endpoint.close();
        assert.equal(received.length, attempts, behaviour.toString());
        assert.equal(new Set(received.map(({ headers }) => headers['x-request-id'])).size, 1);
        const logged = service.program.log.filter((line) => line.includes(runId));
        const failures = logged.filter((line) => /failed after/.test(line));
        assert.equal(failures.length, behaviour === 204 ? 0 : 1, 'the failure is logged');
        assert.equal(logged.length - failures.length, attempts, 'each attempt is logged');
        const { body } = await service.call({ path: `/v1/sandbox/attempts?runId=${runId}` });
        const listed = (body as { attempts: WebhookAttempt[] }).attempts;
        assert.deepEqual(
          listed.map(({ number, status, outcome }) => [number, status, outcome]),
          Array.from({ length: attempts }, (_, index) => [
            index + 1,
            behaviour === 'drop' ? undefined : behaviour,
            index + 1 < attempts ? 'retry' : behaviour === 204 ? 'delivered' : 'givenUp',
          ]),
        );
        for (const { nextInMs, outcome, error } of listed) {
          assert.equal(nextInMs !== undefined && nextInMs > 0 && nextInMs <= 5000, outcome === 'retry');
          assert.equal(error !== undefined, behaviour === 'drop');
        }
        for (const one of received) {
          assert.equal(one.path, '/', 'no redirect is followed');
          assert.equal(runIdOf({ body: JSON.parse(one.body.toString()) }), runId);
          assert.equal(one.headers['x-service-webhook-signature'], signatureOf(one));
        }
      }
    });
  });
});

describe('service-interface.md, section 6: Events, to an https endpoint', () => {
  let ca: LocalCa;
  let untrusted: LocalCa;
  before(() => {
    ca = createLocalCa('localhost');
    untrusted = createLocalCa('localhost');
  });
  after(() => {
    ca.dispose();
    untrusted.dispose();
  });
  const service = useSandbox(() => ({ NODE_EXTRA_CA_CERTS: ca.caFile }));

  it('a delivery arrives, signed, where the certificate is trusted', async () => {
    const endpoint = await Receiver.start(ca);
    assert.match(endpoint.url, /^https:/);
    await service.run('echo', { hook: `${endpoint.url}/hook`, secret });
    const [webhook] = await endpoint.count(1);
    await endpoint.close();
    assert.equal(webhook!.path, '/hook');
    assert.equal(webhook!.headers['x-service-webhook-signature'], signatureOf(webhook!));
  });

  it('a certificate that nobody trusts is a network error: 3 attempts, and nothing is handed over', async () => {
    const endpoint = await Receiver.start(untrusted);
    const answer = await service.run('echo', { hook: endpoint.url, secret });
    assert.equal(answer.status, 200);
    const line = await service.logged(new RegExp(`${runIdOf(answer)} .*failed after`));
    await endpoint.close();
    assert.match(line, /failed after 3 attempts: .*certificate/);
    assert.deepEqual(endpoint.received, []);
  });
});
