import assert from 'node:assert/strict';
import { request } from 'undici';
import type { SandboxServer } from '../../../../src/sandbox/sandboxServer.ts';
import { startHastyApp } from '../../../support/http/hastyApp.ts';
import { Receiver } from '../../../support/http/receiver.ts';
import { startSandboxServer } from '../../../support/service/startSandboxServer.ts';

describe('an app behind the proxy that answers in a way of its own', () => {
  let sandbox: SandboxServer;
  beforeEach(async () => {
    sandbox = await startSandboxServer();
  });
  afterEach(() => sandbox.close());

  const run = (app: string, query = '', body = Buffer.from('{}')) => {
    sandbox.state.setApps({ mine: app });
    const { proxyUrl, projectId, token } = sandbox.address;
    const headers = { authorization: `Bearer ${token}` };
    return request(`${proxyUrl}/v4/${projectId}/mine/run${query}`, { method: 'POST', headers, body });
  };

  it('may do so before it has read a large body', async () => {
    const hasty = await startHastyApp();
    const status = async () => {
      const answer = await run(hasty.url, '', Buffer.alloc(10 << 20));
      await answer.body.dump();
      return answer.statusCode;
    };
    try {
      for (let round = 0; round < 5; round += 1) {
        assert.deepEqual(new Set(await Promise.all(Array.from({ length: 6 }, status))), new Set([204]));
      }
    } finally {
      hasty.stop();
    }
  });

  it('is a 502 where it changes the protocol, and the webhook says so too', async () => {
    const [app, hook] = [await Receiver.start(), await Receiver.start()];
    app.raw = ({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    };
    try {
      const answer = await run(app.url, `?webhookEndpoint=${encodeURIComponent(hook.url)}`);
      assert.equal(answer.statusCode, 502);
      const body = (await answer.body.json()) as { result: { error: string } };
      assert.match(body.result.error, new RegExp(`${app.url} .* changes the protocol`));
      const [webhook] = await hook.count(1);
      assert.deepEqual(JSON.parse(webhook!.body.toString()), body);
    } finally {
      await app.close();
      await hook.close();
    }
  });
});
