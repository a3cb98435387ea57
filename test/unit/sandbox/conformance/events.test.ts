import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { Receiver, type Received } from '../../../support/receiver.ts';
import { type Answer, useSandbox } from '../../../support/useSandbox.ts';

function runIdOf(answer: Answer): string {
  return (answer.body as { run_id: string }).run_id;
}

// Over HTTP, against the sandbox as a program of its own: nothing of its inside is used here.
describe('service-interface.md, over HTTP: events', () => {
  const service = useSandbox();

  describe('6. Events', () => {
    const secret = 'a secret of the caller';
    const signatureOf = ({ headers, body }: Received, key: string) =>
      createHmac('sha256', key)
        .update(`${String(headers['x-request-id'])}.${String(headers['x-service-webhook-timestamp'])}.`)
        .update(body)
        .digest('hex');

    it('Delivery: a POST of JSON with all that the proxy returned', async () => {
      const answer = await service.run('echo', {
        body: { smile: '😀' },
        hook: `${service.receiver.url}/hook`,
      });
      const [webhook] = await service.receiver.count(1);
      assert.equal(webhook!.method, 'POST');
      assert.equal(webhook!.headers['content-type'], 'application/json');
      const sent = JSON.parse(webhook!.body.toString()) as Record<string, unknown>;
      assert.deepEqual(sent, answer.body);
      assert.equal(typeof sent['run_id'], 'string');
      assert.ok(Math.abs(Number(sent['timestamp']) - Date.now() / 1000) < 60);
    });

    it('Delivery: what a failing app returned is sent as well', async () => {
      const answer = await service.run('fail', { body: { status: 503 }, hook: service.receiver.url });
      assert.equal(answer.status, 503);
      const [webhook] = await service.receiver.count(1);
      assert.deepEqual(JSON.parse(webhook!.body.toString()), answer.body);
    });

    it('Headers and signature verification, where a secret was given', async () => {
      await service.run('echo', { hook: service.receiver.url, secret });
      const [webhook] = await service.receiver.count(1);
      const { headers } = webhook!;
      assert.ok(headers['x-request-id']);
      const timestamp = Number(headers['x-service-webhook-timestamp']);
      assert.ok(Math.abs(timestamp - Date.now() / 1000) < 60);
      assert.equal(headers['x-service-webhook-signature'], `v1,${signatureOf(webhook!, secret)}`);
    });

    it('Headers: no signature where no secret was given, and never the secret or the token', async () => {
      await service.run('echo', { hook: service.receiver.url });
      await service.run('echo', { hook: service.receiver.url, secret });
      const webhooks = await service.receiver.count(2);
      const unsigned = webhooks.filter((one) => one.headers['x-service-webhook-signature'] === undefined);
      assert.equal(unsigned.length, 1);
      for (const { rawHeaders, body } of webhooks) {
        const all = rawHeaders.join('\n') + body.toString();
        assert.ok(!all.includes(secret) && !all.includes(service.address.token));
      }
    });

    it('Retry behaviour: each row of the table, and at most 3 attempts', async function () {
      this.timeout(20_000);
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
          const startedAt = Date.now();
          const answer = await service.run('echo', { body: { behaviour }, hook: endpoint.url, secret });
          assert.equal(answer.status, 200);
          await endpoint.count(attempts);
          return { behaviour, attempts, endpoint, answer, tookMs: Date.now() - startedAt };
        }),
      );
      // Long enough for a fourth attempt, or for a second one that must not come.
      await new Promise((resolve) => setTimeout(resolve, 2500));
      for (const { behaviour, attempts, endpoint, answer, tookMs } of results) {
        const received = [...endpoint.received];
        await endpoint.close();
        assert.equal(received.length, attempts, behaviour.toString());
        assert.ok(tookMs <= 10_500, 'two delays of 5 seconds at most');
        assert.equal(new Set(received.map((one) => one.headers['x-request-id'])).size, 1);
        const logged = service.program!.log.filter((line) => line.includes(runIdOf(answer)));
        assert.equal(logged.length, behaviour === 204 ? 0 : 1, 'the failure is logged');
        assert.ok(
          received.every((one) => one.path === '/'),
          'no redirect is followed',
        );
        for (const one of received) {
          assert.equal((JSON.parse(one.body.toString()) as { run_id: string }).run_id, runIdOf(answer));
          assert.equal(one.headers['x-service-webhook-signature'], `v1,${signatureOf(one, secret)}`);
        }
      }
    });
  });
});
