import assert from 'node:assert/strict';
import { json, useSandbox } from '../../../support/useSandbox.ts';

// Over HTTP, against the sandbox as a program of its own: nothing of its inside is used here.
describe('service-interface.md, over HTTP: endpoints', () => {
  const service = useSandbox();

  describe('1. What the service does', () => {
    it('tells where its management API and its run proxy are', () => {
      const { baseUrl, proxyUrl } = service.address;
      for (const url of [baseUrl, proxyUrl]) assert.equal(new URL(url).hostname, '127.0.0.1');
    });
  });

  describe('4.1 List tokens of a service account', () => {
    it('answers 200', async () => {
      const answer = await service.call({ path: service.keysPath });
      assert.equal(answer.status, 200);
      const { keys } = answer.body as { keys: { id: string; expiresAt?: string }[] };
      assert.equal(new Set(keys.map((key) => key.id)).size, keys.length);
      const days = keys.map((key) => (Date.parse(key.expiresAt ?? '') - Date.now()) / 86_400_000);
      assert.ok(
        days.some((left) => left > 14),
        'a valid one',
      );
      assert.ok(
        days.some((left) => left > 0 && left < 7),
        'one that expires soon',
      );
      assert.ok(
        days.some((left) => left < 0),
        'an expired one',
      );
      assert.ok(
        days.some((left) => Number.isNaN(left)),
        'one without expiry',
      );
    });

    it('shows no token: those are shown once, at creation (2.)', async () => {
      const answer = await service.call({ path: service.keysPath });
      assert.ok(!JSON.stringify(answer.body).includes(service.address.token.slice(-20)));
    });

    it('answers 404 for an unknown service account and 405 with Allow for another method', async () => {
      const other = `/v2/${service.address.projectId}/service-accounts/nobody/keys`;
      assert.equal((await service.call({ path: other })).status, 404);
      const answer = await service.call({ method: 'POST', path: service.keysPath });
      assert.equal(answer.status, 405);
      assert.equal(answer.headers['allow'], 'GET');
    });
  });

  describe('4.2 Modify an app', () => {
    it('answers 404 for an unknown app and 405 with Allow for another method', async () => {
      assert.equal(
        (await service.call({ method: 'PATCH', path: service.appPath('nothing'), headers: json, body: {} }))
          .status,
        404,
      );
      for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
        const answer = await service.call({ method, path: service.appPath() });
        assert.equal(answer.status, 405, method);
        assert.equal(answer.headers['allow'], 'PATCH');
      }
    });

    it('answers 415 for another content type, 400 for what is not JSON, 422 for what is no object', async () => {
      const patch = { method: 'PATCH', path: service.appPath() };
      assert.equal((await service.call({ ...patch, body: '{}' })).status, 415);
      assert.equal(
        (await service.call({ ...patch, headers: { 'content-type': 'text/plain' }, body: '{}' })).status,
        415,
      );
      const withCharset = { 'content-type': 'application/json; charset=utf-8' };
      assert.equal((await service.call({ ...patch, headers: withCharset, body: '{}' })).status, 200);
      assert.equal((await service.call({ ...patch, headers: json, body: '{' })).status, 400);
      assert.equal((await service.call({ ...patch, headers: json, body: '' })).status, 400);
      for (const body of ['[]', 'null', '"CPU"', '3']) {
        assert.equal((await service.call({ ...patch, headers: json, body })).status, 422, body);
      }
    });
  });

  describe('4.3 Run an app through the proxy, with webhook forwarding', () => {
    it('passes the JSON to the app and answers with its result', async () => {
      const answer = await service.run('echo', { body: { prompt: 'hi' } });
      assert.equal(answer.status, 200);
      assert.deepEqual((answer.body as { result: { body: unknown } }).result.body, { prompt: 'hi' });
    });

    it('takes the webhookEndpoint on any call through the proxy, not only /run', async () => {
      for (const [method, path] of [
        ['GET', 'v1/models'],
        ['PUT', 'deep/er'],
        ['DELETE', ''],
      ] as const) {
        const answer = await service.run('echo', { method, path, hook: `${service.receiver.url}/hook` });
        assert.equal(answer.status, 200);
      }
      const results = (await service.receiver.count(3)).map(
        ({ body }) => (JSON.parse(body.toString()) as { result: { method: string; path: string } }).result,
      );
      assert.deepEqual(
        new Set(results.map(({ method, path }) => `${method} ${path}`)),
        new Set(['GET /v1/models', 'PUT /deep/er', 'DELETE /']),
      );
    });

    it('decodes the endpoint once, and keeps its own query', async () => {
      await service.run('echo', { hook: `${service.receiver.url}/hook?to=a%26b&x=1+2` });
      const [webhook] = await service.receiver.count(1);
      assert.equal(webhook!.path, '/hook?to=a%26b&x=1+2');
    });

    it('refuses an endpoint that is not an absolute http or https address', async () => {
      for (const hook of ['/hook', 'ftp://127.0.0.1/', 'file:///etc/hosts', '', 'javascript:1']) {
        assert.equal((await service.run('echo', { hook })).status, 400, hook);
      }
    });

    it('does not wait for the webhook', async () => {
      service.receiver.otherwise = 'hang';
      const answer = await service.run('echo', { hook: service.receiver.url });
      assert.equal(answer.status, 200);
      await service.receiver.count(1);
    });

    it('answers 404 for an unknown app', async () => {
      assert.equal((await service.run('nothing')).status, 404);
    });
  });

  describe('7. Errors', () => {
    it('says what was wrong', async () => {
      const answer = await service.call({ path: '/v2/nothing/here' });
      assert.equal(answer.status, 404);
      assert.notEqual((answer.body as { message: string }).message, '');
    });
  });

  describe('9. Versioning', () => {
    it('describes itself as version 1.0.0, without a token', async () => {
      const answer = await service.call({ path: '/openapi.json', headers: { authorization: '' } });
      assert.equal((answer.body as { info: { version: string } }).info.version, '1.0.0');
    });

    it('serves /v2 and /v4 only', async () => {
      for (const version of ['v1', 'v3', 'v5']) {
        assert.equal((await service.call({ path: service.keysPath.replace('v2', version) })).status, 404);
      }
    });
  });
});
