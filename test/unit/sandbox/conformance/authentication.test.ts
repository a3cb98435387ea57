import assert from 'node:assert/strict';
import { SandboxProgram } from '../../../support/sandboxProgram.ts';
import { json, useSandbox } from '../../../support/useSandbox.ts';

// Over HTTP, against the sandbox as a program of its own: nothing of its inside is used here.
describe('service-interface.md, over HTTP: authentication', () => {
  const service = useSandbox();

  describe('5. Authentication', () => {
    const paths = () => [
      { path: service.keysPath },
      { method: 'PATCH', path: service.appPath(), headers: json, body: {} },
      { method: 'POST', path: `/v4/${service.address.projectId}/echo/run`, headers: json, body: {} },
    ];

    it('answers 401 on every call without a valid bearer token', async () => {
      for (const one of [...paths(), { path: '/v2/nothing' }]) {
        for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${service.address.token}`]) {
          const answer = await service.call({
            ...one,
            headers: { ...('headers' in one && one.headers), authorization },
          });
          assert.equal(answer.status, 401, `${one.path} with "${authorization.slice(0, 12)}"`);
          assert.equal(answer.headers['www-authenticate'], 'Bearer');
        }
      }
    });

    it("answers 403 to another project's token", async () => {
      for (const one of paths()) {
        const path = one.path.replace(service.address.projectId, 'p-another');
        assert.equal((await service.call({ ...one, path })).status, 403, path);
      }
    });

    it('gives a token in the style of a JWT, with an expiry, anew at each start', async () => {
      const [, claims = ''] = service.address.token.split('.');
      const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number };
      assert.ok(exp > Date.now() / 1000);
      const other = await SandboxProgram.start();
      await other.stop();
      assert.notEqual(other.address.token, service.address.token);
      assert.equal(
        (
          await service.call({
            path: service.keysPath,
            headers: { authorization: `Bearer ${other.address.token}` },
          })
        ).status,
        401,
      );
    });
  });
});
