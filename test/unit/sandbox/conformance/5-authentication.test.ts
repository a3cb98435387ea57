import assert from 'node:assert/strict';
import { SandboxProgram } from '../../../support/sandboxProgram.ts';
import { type Call, json, useSandbox } from '../../../support/useSandbox.ts';

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
    assert.equal(operations.length, 3);
    for (const { security } of operations) assert.deepEqual(security, [{ bearer: [] }]);
  });

  it('shows no way to create a token through the API, and there is none', async () => {
    const answer = await service.call({ method: 'POST', path: service.keysPath, headers: json, body: {} });
    assert.equal(answer.status, 405);
  });
});
