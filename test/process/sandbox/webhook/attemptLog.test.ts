import assert from 'node:assert/strict';
import type { WebhookAttempt } from '../../../../src/model/service/webhookAttempt.ts';
import { AttemptLog } from '../../../../src/sandbox/serviceState.ts';
import { json, useSandbox } from '../../../support/service/useSandbox.ts';

const attempt = (runId: string, number = 1): WebhookAttempt => ({
  ...{ runId, appName: 'hello', requestId: 'id', to: 'http://127.0.0.1/', at: '2026-11-22T12:00:00.000Z' },
  ...{ number, durationMs: 1, status: 200, outcome: 'delivered' },
});

describe('the log of attempts', () => {
  it('keeps the last ones alone', () => {
    const log = new AttemptLog(10);
    for (let count = 1; count <= 95; count += 1) log.add(attempt(`run-${count}`));
    const kept = log.list().map(({ runId }) => runId);
    assert.deepEqual(
      kept,
      Array.from({ length: 10 }, (_, index) => `run-${86 + index}`),
    );
    assert.deepEqual(log.list('run-95'), [attempt('run-95')]);
    assert.deepEqual(log.list('run-85'), []);
    log.clear();
    assert.deepEqual(log.list(), []);
  });

  describe('of a sandbox', () => {
    const service = useSandbox();
    const list = async (query = '') => {
      const { status, body } = await service.call({ path: `/v1/sandbox/attempts${query}` });
      assert.equal(status, 200);
      return (body as { attempts: WebhookAttempt[] }).attempts;
    };

    it('tells nothing without a token, and nothing of secrets', async () => {
      const hook = `${service.receiver.url}/hook?key=in-the-query`;
      const answer = await service.run('echo', { hook, secret: 'secret-of-the-caller', headers: json });
      await service.logged(/delivered/);
      const { run_id: runId } = answer.body as { run_id: string };
      const attempts = await list();
      assert.deepEqual(attempts, await list(`?runId=${runId}`));
      assert.deepEqual(await list('?runId=run-of-nobody'), []);
      assert.equal(attempts[0]!.to, `${service.receiver.url}/hook`);
      const told = JSON.stringify(attempts) + service.program.log.join('\n');
      for (const secret of ['secret-of-the-caller', 'in-the-query', service.address.token]) {
        assert.ok(!told.includes(secret), secret);
      }
      const headers = { authorization: '' };
      assert.equal((await service.call({ path: '/v1/sandbox/attempts', headers })).status, 401);
      assert.equal((await service.call({ path: '/v1/sandbox/attempts', method: 'DELETE' })).status, 405);
    });

    it('says where the answer of the app was cut', async () => {
      service.app.otherwise = (_, response) => response.writeHead(200).end('x'.repeat(11_000_000));
      const { program, receiver, address } = service;
      const query = `webhookEndpoint=${encodeURIComponent(receiver.url)}`;
      const answer = await fetch(`${address.proxyUrl}/v4/${address.projectId}/mine/run?${query}`, {
        headers: { authorization: `Bearer ${address.token}` },
      });
      await answer.arrayBuffer();
      await service.logged(new RegExp(`${answer.headers.get('x-run-id')}, attempt 1`));
      const [cut] = await list(`?runId=${answer.headers.get('x-run-id')}`);
      assert.equal(cut!.cutFrom, 11_000_000);
      assert.ok(program.log.some((line) => line.includes("of the app's answer, 11000000 bytes")));
    });
  });
});
