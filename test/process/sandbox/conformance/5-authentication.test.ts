import assert from 'node:assert/strict';
import { SandboxProgram } from '../../../support/service/sandboxProgram.ts';
import { type Call, json, useSandbox } from '../../../support/service/useSandbox.ts';

describe('service-interface.md, section 5: Authentication', () => {
  const service = useSandbox();
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
      const made = await service.call({ method: 'POST', path: `/v1/sandbox/service-accounts/${id}/tokens` });
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
