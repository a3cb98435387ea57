import assert from 'node:assert/strict';
import { readKeys } from '../../../../src/model/keys/keys.ts';
import { json, useSandbox } from '../../../support/service/useSandbox.ts';

describe('service-interface.md, section 4.1: List tokens of a service account', () => {
  const service = useSandbox();

  it('GET …/v2/{projectId}/service-accounts/{service_account_id}/keys without a body answers 200', async () => {
    const { projectId, serviceAccountId } = service.address;
    const { status, body } = await service.call({
      method: 'GET',
      path: `/v2/${projectId}/service-accounts/${serviceAccountId}/keys`,
    });
    assert.equal(status, 200);
    assert.equal((body as { keys: unknown[] }).keys.length, 5);
  });

  it('is read as a whole list, with no state: neither pages nor the fields of a key are shown', async () => {
    const { body } = await service.call({ path: service.keysPath });
    const list = readKeys(body);
    assert.ok(list.kind === 'keys' && list.keys.length === 5);
    assert.deepEqual([list.goesOn, list.keys.flatMap(({ state }) => state ?? [])], [undefined, []]);
  });

  it('takes a percent-encoded path parameter, and refuses one that is not well encoded', async () => {
    const { projectId } = service.address;
    const list = (account: string) =>
      service.call({ path: `/v2/${projectId}/service-accounts/${account}/keys` });
    assert.equal((await list('sa%2Dci')).status, 200);
    assert.equal((await list('%E0%A4%A')).status, 400);
  });

  it('answers 404 for an unknown service account', async () => {
    const path = `/v2/${service.address.projectId}/service-accounts/nobody/keys`;
    assert.equal((await service.call({ path })).status, 404);
  });

  it('answers 405 with Allow for another method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await service.call({ method, path: service.keysPath });
      assert.equal(answer.status, 405, method);
      assert.equal(answer.headers['allow'], 'GET');
    }
  });
});

describe('service-interface.md, section 4.2: Modify an app', () => {
  const service = useSandbox();
  const modify = (call: { headers?: Record<string, string>; body?: unknown; path?: string }) =>
    service.call({ method: 'PATCH', path: service.appPath(), headers: json, ...call });

  it('PATCH …/v2/projects/{project_id}/apps/{app_id} answers 200, with the settings that are applied', async () => {
    const { projectId, apps } = service.address;
    const settings = { compute: 'CPU', cpu: '2', minReplicaCount: 0 };
    for (const { id } of apps) {
      const answer = await modify({ path: `/v2/projects/${projectId}/apps/${id}`, body: settings });
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, settings);
    }
  });

  it('answers 404 for an unknown app', async () => {
    assert.equal((await modify({ path: service.appPath('nothing'), body: {} })).status, 404);
  });

  it('answers 405 with Allow for another method', async () => {
    for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
      const answer = await service.call({ method, path: service.appPath() });
      assert.equal(answer.status, 405, method);
      assert.equal(answer.headers['allow'], 'PATCH');
    }
  });

  it('answers 415 for another content type than application/json', async () => {
    for (const type of [undefined, 'text/plain', 'application/merge-patch+json']) {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      assert.equal((await modify({ headers, body: '{}' })).status, 415, type);
    }
    const withCharset = { 'content-type': 'Application/JSON; charset=utf-8' };
    assert.equal((await modify({ headers: withCharset, body: '{}' })).status, 200);
  });

  it('answers 400 for what is not JSON, and 422 for what is no object', async () => {
    for (const body of ['{', '', 'compute=CPU']) assert.equal((await modify({ body })).status, 400, body);
    for (const body of ['[]', 'null', '"CPU"', '3']) assert.equal((await modify({ body })).status, 422, body);
  });
});

describe('service-interface.md, section 4.3: Run an app through the proxy, with webhook forwarding', () => {
  const service = useSandbox();

  it('POST …/v4/<project_id>/<app_name>/run passes the JSON to the app and answers with its result', async () => {
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

  it('sends no webhook where webhookEndpoint, which is optional, is not there', async () => {
    await service.run('echo');
    await service.run('echo', { body: 'second', hook: service.receiver.url });
    const [first] = await service.receiver.count(1);
    assert.match(first!.body.toString(), /second/);
  });

  it('decodes the URL-encoded endpoint once, and keeps its own query', async () => {
    await service.run('echo', { hook: `${service.receiver.url}/hook?to=a%26b&x=1+2` });
    const [webhook] = await service.receiver.count(1);
    assert.equal(webhook!.path, '/hook?to=a%26b&x=1+2');
  });

  it('refuses an endpoint that is not an absolute http or https address', async () => {
    for (const hook of [
      '/hook',
      'ftp://127.0.0.1/',
      'ws://127.0.0.1/',
      'file:///etc/hosts',
      '',
      'javascript:1',
    ]) {
      assert.equal((await service.run('echo', { hook })).status, 400, hook);
    }
  });

  it('sends the webhook asynchronously: an endpoint that hangs holds up no answer', async () => {
    service.receiver.otherwise = 'hang';
    const answer = await service.run('echo', { hook: service.receiver.url });
    assert.equal(answer.status, 200);
    await service.receiver.count(1);
  });

  it('answers 404 for an unknown app', async () => {
    assert.equal((await service.run('nothing')).status, 404);
  });
});
