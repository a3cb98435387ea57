import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { request, upgrade } from 'undici';
import { madeDifferences } from '../../../../src/deliveries/madeDifferences.ts';
import { readKeys } from '../../../../src/service/keys/keys.ts';
import type { WebhookAttempt } from '../../../../src/service/webhookAttempt.ts';
import { type Answer, type Call, json, useSandbox } from '../../../support/service/useSandbox.ts';
import { SandboxProgram } from '../../../support/service/sandboxProgram.ts';
import { createLocalCa, type LocalCa } from '../../../support/http/localCa.ts';
import { type Received, Receiver } from '../../../support/http/receiver.ts';

interface Operation {
  parameters: { name?: string; in?: string; required?: boolean; schema?: { type: string } }[];
  requestBody?: { required?: boolean; content: Record<string, unknown> };
  responses: Record<string, { description: string }>;
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { AppSettings: { properties: Record<string, unknown>; required?: string[] } } };
}

/** The tables of sections 4.1 to 4.3: parameters, request body, and what 200 is described with. */
const endpoints: Record<string, { parameters: string[]; body: string[]; ok: RegExp }> = {
  'get /v2/{projectId}/service-accounts/{service_account_id}/keys': {
    parameters: ['path string projectId, required', 'path string service_account_id, required'],
    body: [],
    ok: /^OK\b/,
  },
  'patch /v2/projects/{project_id}/apps/{app_id}': {
    parameters: ['path string project_id, required', 'path string app_id, required'],
    body: ['application/json'],
    ok: /^OK\b/,
  },
  'post /v4/{project_id}/{app_name}/run': {
    parameters: [
      ...['path string project_id, required', 'path string app_name, required'],
      ...['query string webhookEndpoint', 'header string X-Webhook-Secret'],
    ],
    body: ['application/json'],
    ok: /./,
  },
};

/** The table of section 2: type and range. */
const fields: Record<string, object> = {
  compute: { enum: ['ADA_L4', 'ADA_L40', 'AMPERE_A10', 'CPU', 'INF2', 'TRN1', 'TURING_T4'], type: 'string' },
  cooldownPeriodSeconds: { maximum: 3600, minimum: 1, type: 'integer' },
  cpu: { type: 'string' },
  gpuCount: { maximum: 8, minimum: 0, type: 'integer' },
  maxReplicaCount: { minimum: 1, type: 'integer' },
  memory: { type: 'string' },
  minReplicaCount: { minimum: 0, type: 'integer' },
  replicaConcurrency: { minimum: 1, type: 'integer' },
  responseGracePeriodSeconds: { maximum: 3600, minimum: 1, type: 'integer' },
};

const secret = 'a secret of the caller';

function runIdOf({ body }: Pick<Answer, 'body'>): string {
  return (body as { run_id: string }).run_id;
}

function signatureOf({ headers, body }: Received): string {
  const content = `${String(headers['x-request-id'])}.${String(headers['x-service-webhook-timestamp'])}.`;
  return `v1,${createHmac('sha256', secret).update(content).update(body).digest('hex')}`;
}

describe('service-interface.md', () => {
  const service = useSandbox();

  describe('section 1: What the service does', () => {
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

  describe('section 2: Resources and their fields', () => {
    describe('App settings', () => {
      it('have no default: none is in force before it was applied', async () => {
        assert.deepEqual((await service.modify({})).body, {});
      });

      /** For each field a value of its type, and others that are not. */
      const fields: Record<string, { good: unknown; bad: readonly unknown[] }> = {
        compute: { good: 'ADA_L4', bad: ['H100', 'cpu', '', 1, null] },
        cooldownPeriodSeconds: { good: 60, bad: ['60', 1.5, null, true] },
        cpu: { good: '0.5', bad: [4, 'four', '', ' 4', '1e1', null] },
        gpuCount: { good: 2, bad: ['2', 0.5, null] },
        maxReplicaCount: { good: 3, bad: ['3', 1.5, null] },
        memory: { good: '16.5', bad: [16, 'much', '', null] },
        minReplicaCount: { good: 0, bad: ['0', 0.5, null] },
        replicaConcurrency: { good: 4, bad: ['4', 1.5, null] },
        responseGracePeriodSeconds: { good: 30, bad: ['30', 1.5, null] },
      };
      for (const [field, { good, bad }] of Object.entries(fields)) {
        it(`${field}: takes ${JSON.stringify(good)}, refuses ${JSON.stringify(bad)}`, async () => {
          const { status, body } = await service.modify({ [field]: good });
          assert.equal(status, 200);
          assert.deepEqual((body as Record<string, unknown>)[field], good);
          for (const value of bad) assert.deepEqual(await refusedFields({ [field]: value }), [field]);
        });
      }

      it('compute: takes each of the seven', async () => {
        for (const compute of ['ADA_L4', 'ADA_L40', 'AMPERE_A10', 'CPU', 'INF2', 'TRN1', 'TURING_T4']) {
          assert.equal((await service.modify({ compute })).status, 200, compute);
        }
      });

      it('are nine: any other field is refused', async () => {
        assert.deepEqual(await refusedFields({ colour: 'blue', GPUCount: 1, gpu_count: 1 }), [
          'colour',
          'GPUCount',
          'gpu_count',
        ]);
      });

      it('are optional, each of them: what is not named stays', async () => {
        await service.modify({ compute: 'CPU', gpuCount: 0 });
        const { body } = await service.modify({ gpuCount: 3 });
        assert.equal((body as { compute: string }).compute, 'CPU');
        assert.equal((await service.modify({})).status, 200);
      });

      it('are refused with a message for each bad field, and then none of the good ones is applied', async () => {
        await service.modify({ gpuCount: 1 });
        assert.deepEqual(await refusedFields({ gpuCount: 2, cpu: '101', memory: '193', colour: 'blue' }), [
          'cpu',
          'memory',
          'colour',
        ]);
        assert.equal(((await service.modify({})).body as { gpuCount: number }).gpuCount, 1);
      });
    });

    describe('Service account and service account token', () => {
      it('a service account has an identifier and belongs to a project', async () => {
        const { projectId, serviceAccountId } = service.address;
        const list = (project: string, account: string) =>
          service.call({ path: `/v2/${project}/service-accounts/${account}/keys` });
        assert.equal((await list(projectId, serviceAccountId)).status, 200);
        assert.equal((await list(projectId, 'nobody')).status, 404);
        assert.equal((await list('p-another', serviceAccountId)).status, 403);
      });

      it('a token has a name and an expiry date: valid, soon, past, or none', async () => {
        const { keys } = (await service.call({ path: service.keysPath })).body as {
          keys: { name: string; expiresAt?: string }[];
        };
        assert.ok(keys.every(({ name }) => name !== ''));
        const days = keys.map(({ expiresAt = '' }) => (Date.parse(expiresAt) - Date.now()) / 86_400_000);
        assert.ok(days.some((left) => left > 14));
        assert.ok(days.some((left) => left > 0 && left < 7));
        assert.ok(days.some((left) => left < 0));
        assert.ok(days.some((left) => Number.isNaN(left)));
      });

      it('a token is shown once, at creation, and never in the list', async () => {
        const { token } = service.address;
        const answer = await service.call({ path: service.keysPath });
        assert.ok(!JSON.stringify(answer).includes(token.slice(-20)));
      });
    });

    /** The fields that a modification is refused for, in the order of the answer. */
    async function refusedFields(settings: object): Promise<string[]> {
      const { status, body } = await service.modify(settings);
      assert.equal(status, 422, JSON.stringify(settings));
      const { errors } = body as { errors: { field: string; message: string }[] };
      for (const { field, message } of errors) assert.notEqual(message, '', field);
      return errors.map(({ field }) => field);
    }
  });

  describe('section 3: States and transitions', () => {
    it('shows none, and the sandbox makes none up: a resource is answered without a state', async () => {
      const keys = await service.call({ path: service.keysPath });
      const settings = await service.modify({ minReplicaCount: 0 });
      for (const { status, body } of [keys, settings]) {
        assert.equal(status, 200);
        assert.doesNotMatch(JSON.stringify(body), /"(state|status|phase)"/i);
      }
    });

    it('shows none, so nothing has to come first: each operation is taken at any time, and again', async () => {
      const app = service.address.apps.find(({ name }) => name === 'stream')!;
      const modify = { method: 'PATCH', path: service.appPath(app.id), headers: json, body: { gpuCount: 1 } };
      for (const call of [modify, { path: service.keysPath }, modify]) {
        assert.equal((await service.call(call)).status, 200);
      }
    });
  });

  describe('sections 2 and 4, as the sandbox describes itself', () => {
    const description = async () => (await service.call({ path: '/openapi.json' })).body as Description;

    for (const [endpoint, { parameters, body, ok }] of Object.entries(endpoints)) {
      it(`${endpoint}: its parameters, its request body, its 200`, async () => {
        const [method = '', path = ''] = endpoint.split(' ');
        const operation = (await description()).paths[path]![method]!;
        const described = operation.parameters
          .filter(({ name }) => name !== undefined && !name.startsWith('X-Sandbox-'))
          .map(
            (one) => `${one.in} ${one.schema!.type} ${one.name}${one.required === true ? ', required' : ''}`,
          );
        assert.deepEqual(described, parameters);
        assert.deepEqual(Object.keys(operation.requestBody?.content ?? {}), body);
        assert.match(operation.responses['200']!.description, ok);
      });
    }

    it('App settings: the nine fields with type and range, none required, none with a default', async () => {
      const { properties, required } = (await description()).components.schemas.AppSettings;
      assert.equal(required, undefined);
      const ranges = Object.entries(properties).map(([field, schema]) => {
        const { type, minimum, maximum, enum: values, default: preset } = schema as Record<string, unknown>;
        assert.equal(preset, undefined, field);
        // Where the document states no upper limit, the sandbox has that of numbers which JSON carries exactly.
        const stated = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
        return [field, { type, minimum, maximum: stated, enum: values }] as const;
      });
      assert.deepEqual(JSON.parse(JSON.stringify(Object.fromEntries(ranges))), fields);
    });

    it('section 4.1 has no request body: one that is sent changes nothing', async () => {
      const plain = await service.call({ path: service.keysPath });
      const withBody = await service.call({ path: service.keysPath, headers: json, body: { any: 'thing' } });
      assert.equal(withBody.status, 200);
      assert.deepEqual(withBody.body, plain.body);
    });
  });

  describe('section 4.1: List tokens of a service account', () => {
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

  describe('section 4.2: Modify an app', () => {
    // Of its own: an answer has all settings that were ever applied.
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
      for (const body of ['[]', 'null', '"CPU"', '3'])
        assert.equal((await modify({ body })).status, 422, body);
    });
  });

  describe('section 4.3: Run an app through the proxy, with webhook forwarding', () => {
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

  describe('section 5: Authentication', () => {
    const calls = (): Call[] => [
      { path: service.keysPath },
      { method: 'PATCH', path: service.appPath(), headers: json, body: {} },
      { method: 'POST', path: `/v4/${service.address.projectId}/echo/run`, headers: json, body: {} },
    ];

    it('every call carries a bearer token: without a valid one it is answered 401', async () => {
      for (const call of [...calls(), { path: '/v2/nothing' }]) {
        for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${service.address.token}`]) {
          const answer = await service.call({ ...call, headers: { ...call.headers, authorization } });
          assert.equal(answer.status, 401, `${call.path} with "${authorization.slice(0, 12)}"`);
          assert.equal(answer.headers['www-authenticate'], 'Bearer');
        }
      }
    });

    it("a token is good for its own project: another's is answered 403", async () => {
      for (const call of calls()) {
        const path = call.path.replace(service.address.projectId, 'p-another');
        assert.equal((await service.call({ ...call, path })).status, 403, path);
      }
    });

    it('a token is in the style of a JWT, with an expiry, and made anew at each start', async () => {
      const [, claims = ''] = service.address.token.split('.');
      const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number };
      assert.ok(exp > Date.now() / 1000);
      const other = await SandboxProgram.start();
      await other.stop();
      assert.notEqual(other.address.token, service.address.token);
      const headers = { authorization: `Bearer ${other.address.token}` };
      assert.equal((await service.call({ path: service.keysPath, headers })).status, 401);
    });

    it('the bearer scheme is the only one, declared per operation', async () => {
      const { body } = await service.call({ path: '/openapi.json' });
      const { components, paths, ...rest } = body as {
        components: { securitySchemes: object };
        paths: Record<string, Record<string, { security: unknown }>>;
      };
      assert.deepEqual(Object.keys(components.securitySchemes), ['bearer']);
      assert.ok(!('security' in rest));
      const operations = Object.values(paths).flatMap((one) => Object.values(one));
      // Those of the document, and the sandbox's own.
      const ofTheDocument = Object.keys(paths).filter((path) => !path.startsWith('/v1/sandbox/'));
      assert.equal(ofTheDocument.length, 3);
      for (const { security } of operations) assert.deepEqual(security, [{ bearer: [] }]);
    });

    it('shows no way to create a token through the API, and there is none', async () => {
      const answer = await service.call({ method: 'POST', path: service.keysPath, headers: json, body: {} });
      assert.equal(answer.status, 405);
    });

    it('one service account an environment, each with a token of its own', () => {
      const { serviceAccounts, serviceAccountId, token } = service.address;
      const environments = serviceAccounts.map(({ environment }) => environment);
      assert.deepEqual(environments, ['dev', 'staging', 'prod']);
      assert.deepEqual([serviceAccounts[0]!.id, serviceAccounts[0]!.token], [serviceAccountId, token]);
      assert.equal(new Set(serviceAccounts.map((one) => one.token)).size, 3);
    });

    it('a token that has expired, or was revoked, is answered 401, whatever the call', async () => {
      const [, staging, prod] = service.address.serviceAccounts;
      for (const [bad, why] of [
        [staging!.token, /expired/],
        [prod!.token, /revoked/],
      ] as const) {
        for (const call of calls()) {
          const headers = { ...call.headers, authorization: `Bearer ${bad}` };
          const answer = await service.call({ ...call, headers });
          assert.equal(answer.status, 401);
          assert.match((answer.body as { message: string }).message, why);
        }
      }
    });

    it('a token is replaced by another of the same account, which stands in its list then', async () => {
      for (const { id } of service.address.serviceAccounts) {
        const made = await service.call({
          method: 'POST',
          path: `/v1/sandbox/service-accounts/${id}/tokens`,
        });
        const { token, ...key } = made.body as { token: string };
        const headers = { authorization: `Bearer ${token}` };
        const path = service.keysPath.replace(service.address.serviceAccountId, id);
        const { body, status } = await service.call({ path, headers });
        assert.equal(status, 200);
        assert.deepEqual((body as { keys: unknown[] }).keys.at(-1), key);
      }
      const refused = await service.call({
        method: 'POST',
        path: '/v1/sandbox/service-accounts/sa-ci/tokens',
        headers: { authorization: 'Bearer wrong' },
      });
      assert.equal(refused.status, 401);
    });
  });

  describe('section 6: Events', () => {
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

      it('is what a call without webhookEndpoint returns, but for ids and times', async () => {
        for (const [at, app] of ['echo', 'sleep', 'fail'].entries()) {
          const body = app === 'sleep' ? { seconds: 0 } : { n: 1 };
          const { body: returned } = await service.run(app, { body });
          await service.run(app, { body, hook: service.receiver.url });
          const webhook = (await service.receiver.count(at + 1))[at]!;
          const headers = { 'content-type': webhook.headers['content-type'] ?? '' };
          const sent = { headers, body: webhook.body.toString() };
          assert.deepEqual(madeDifferences(JSON.stringify(returned), sent), [], app);
        }
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

  describe('section 6: Events, to an https endpoint', () => {
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

  describe('section 7: Errors', () => {
    for (const behaviour of ['drop', 'hang', 404, 400, 500, 302] as const) {
      it(`a webhook that fails (${behaviour}) does not change the answer to the caller`, async () => {
        service.receiver.otherwise = behaviour;
        const call = { method: 'PUT', path: 'deep', body: { n: 1 } };
        const without = await service.run('echo', call);
        const answer = await service.run('echo', { ...call, hook: service.receiver.url });
        await service.receiver.count(1);
        assert.equal(answer.status, without.status);
        const { run_id, timestamp, ...body } = answer.body as Record<string, unknown>;
        assert.ok(run_id && timestamp);
        for (const [name, value] of Object.entries(body)) {
          assert.deepEqual(value, (without.body as Record<string, unknown>)[name], name);
        }
        assert.deepEqual(Object.keys(answer.headers).sort(), Object.keys(without.headers).sort());
      });
    }

    it('an error says what was wrong; its body and status are the sandbox’s own', async () => {
      const patch = { method: 'PATCH', path: service.appPath() };
      const errors = [
        [404, await service.call({ path: '/v2/nothing/here' })],
        [404, await service.run('nothing')],
        [400, await service.call({ ...patch, headers: json, body: '{' })],
        [415, await service.call({ ...patch, body: '{}' })],
        [422, await service.call({ ...patch, headers: json, body: { gpuCount: 9 } })],
        [405, await service.call({ method: 'DELETE', path: service.keysPath })],
      ] as const;
      for (const [status, answer] of errors) {
        assert.equal(answer.status, status);
        assert.equal(answer.headers['content-type'], 'application/json');
        assert.match((answer.body as { message: string }).message, /\w/);
      }
    });

    it('a token may be refused on demand, by 401 and by 403, on every operation', async () => {
      for (const status of [401, 403]) {
        const headers = { ...json, 'x-sandbox-fault': status.toString() };
        for (const answer of [
          await service.call({ path: service.keysPath, headers }),
          await service.call({ method: 'PATCH', path: service.appPath(), headers, body: {} }),
          await service.run('echo', { headers }),
        ]) {
          assert.equal(answer.status, status);
          assert.equal(answer.headers['www-authenticate'], status === 401 ? 'Bearer' : undefined);
        }
      }
    });
  });

  describe('section 8: Limits', () => {
    const limits: [field: string, inside: readonly unknown[], outside: readonly unknown[]][] = [
      ['cooldownPeriodSeconds', [1, 3600], [0, 3601, -1]],
      ['responseGracePeriodSeconds', [1, 3600], [0, 3601, -1]],
      ['cpu', ['0', '100'], ['-1', '-0.1', '100.1', '101']],
      ['memory', ['0', '192'], ['-1', '-0.1', '192.1', '193']],
      ['gpuCount', [0, 8], [-1, 9]],
      ['maxReplicaCount', [1, 1_000_000], [0, -1]],
      ['minReplicaCount', [0, 1_000_000], [-1]],
      ['replicaConcurrency', [1, 1_000_000], [0, -1]],
    ];
    for (const [field, inside, outside] of limits) {
      it(`${field}: takes ${inside.join(' and ')}, refuses ${outside.join(', ')}`, async () => {
        for (const value of inside) {
          const { status, body } = await service.modify({ [field]: value });
          assert.equal(status, 200, JSON.stringify(body));
          assert.deepEqual((body as Record<string, unknown>)[field], value);
        }
        for (const value of outside) {
          assert.equal((await service.modify({ [field]: value })).status, 422, JSON.stringify(value));
        }
      });
    }

    it('request size: not shown; a webhook is 10 MiB long at most, and says so where it was cut', async () => {
      const mib = 1024 * 1024;
      service.app.otherwise = (_, response) => response.writeHead(200).end('x'.repeat(11 * mib));
      const answer = await request(
        `${service.address.proxyUrl}/v4/${service.address.projectId}/mine/run?webhookEndpoint=${encodeURIComponent(service.receiver.url)}`,
        { headers: { authorization: `Bearer ${service.address.token}` } },
      );
      assert.equal((await answer.body.arrayBuffer()).byteLength, 11 * mib, 'the caller gets all of it');
      const [webhook] = await service.receiver.count(1);
      assert.ok(webhook!.body.length <= 10 * mib && webhook!.body.length > 10 * mib - 100);
      const said = JSON.parse(webhook!.body.toString()) as Record<string, unknown>;
      assert.deepEqual([said['truncated'], said['result_bytes']], [true, 11 * mib]);
    });

    it('webhook attempts: 3 in total, with a delay of up to 5 seconds between two', async () => {
      const times: number[] = [];
      service.receiver.otherwise = (_, response) => {
        times.push(performance.now());
        response.writeHead(404).end();
      };
      const runId = runIdOf(await service.run('echo', { hook: service.receiver.url }));
      await service.logged(new RegExp(`${runId}.*failed after 3 attempts`));
      assert.equal(times.length, 3);
      for (const [index, time] of times.slice(1).entries()) assert.ok(time - times[index]! <= 5100);
    });
  });

  describe('section 9: Versioning', () => {
    it('the description carries version 1.0.0, and is there without a token', async () => {
      const answer = await service.call({ path: '/openapi.json', headers: { authorization: '' } });
      assert.equal((answer.body as { info: { version: string } }).info.version, '1.0.0');
    });

    it('management paths begin with /v2', async () => {
      for (const version of ['v1', 'v3', 'v4']) {
        const path = service.keysPath.replace('v2', version);
        assert.notEqual((await service.call({ path })).status, 200, path);
      }
      assert.equal((await service.call({ path: service.keysPath })).status, 200);
    });

    it('run paths begin with /v4', async () => {
      const run = (version: string) =>
        service.call({ method: 'POST', path: `/${version}/${service.address.projectId}/echo/run` });
      for (const version of ['v2', 'v3', 'v5']) assert.equal((await run(version)).status, 404, version);
      assert.equal((await run('v4')).status, 200);
    });
  });
});
