import assert from 'node:assert/strict';
import { upgrade } from 'undici';
import { useSandbox } from '../../../support/service/useSandbox.ts';

describe('service-interface.md, section 1: What the service does', () => {
  const service = useSandbox();

  it('has an address of the management API, and one of the run proxy', () => {
    const { baseUrl, proxyUrl } = service.address;
    for (const url of [baseUrl, proxyUrl]) assert.equal(new URL(url).hostname, '127.0.0.1');
  });

  it('takes webhookEndpoint on any HTTP call through the proxy, and posts the data that the app returned', async () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    for (const method of methods) {
      await service.run('echo', { method, path: 'any/path', hook: service.receiver.url });
    }
    const webhooks = await service.receiver.count(methods.length);
    assert.deepEqual(new Set(webhooks.map(({ method }) => method)), new Set(['POST']));
    const returned = webhooks.map(
      ({ body }) => JSON.parse(body.toString()) as { result: { method: string } },
    );
    assert.deepEqual(new Set(returned.map(({ result }) => result.method)), new Set(methods));
  });

  it("needs no change of the app's code: the app sees nothing of the webhook", async () => {
    service.app.otherwise = (_, response) => response.end('"as ever"');
    await service.run('mine', { hook: service.receiver.url, secret: 'for the proxy only' });
    const [seen] = await service.app.count(1);
    assert.equal(seen!.path, '/run');
    assert.doesNotMatch(JSON.stringify(seen), /webhook|for the proxy only/i);
    const [webhook] = await service.receiver.count(1);
    assert.match(webhook!.body.toString(), /as ever/);
  });

  it('works for HTTP requests only: a websocket passes to the app, and no webhook is sent', async () => {
    service.app.onUpgrade((_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      socket.on('data', (data) => socket.end(data));
    });
    const { proxyUrl, projectId, token } = service.address;
    const hook = encodeURIComponent(service.receiver.url);
    const { socket } = await upgrade(`${proxyUrl}/v4/${projectId}/mine/socket?webhookEndpoint=${hook}`, {
      protocol: 'websocket',
      headers: { authorization: `Bearer ${token}` },
    });
    socket.write('to the app and back');
    assert.equal((await socket.toArray()).join(''), 'to the app and back');
    // A webhook of a later call arrives: one of the websocket's would have come before it.
    await service.run('echo', { hook: service.receiver.url });
    assert.equal((await service.receiver.count(1)).length, 1);
  });

  it('offers two operations on the management API: list tokens, and modify an app', async () => {
    const { body } = await service.call({ path: '/openapi.json' });
    const management = Object.entries((body as { paths: Record<string, object> }).paths)
      .filter(([path]) => path.startsWith('/v2/'))
      .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method} ${path}`));
    assert.deepEqual(management, [
      'get /v2/{projectId}/service-accounts/{service_account_id}/keys',
      'patch /v2/projects/{project_id}/apps/{app_id}',
    ]);
    const { projectId, serviceAccountId } = service.address;
    for (const path of [
      '',
      '/projects',
      `/projects/${projectId}`,
      `/${projectId}/service-accounts/${serviceAccountId}`,
    ]) {
      assert.equal((await service.call({ path: `/v2${path}` })).status, 404, path);
    }
  });
});
