import assert from 'node:assert/strict';
import { useSandbox } from '../../../support/service/useSandbox.ts';

describe('service-interface.md, section 9: Versioning', () => {
  const service = useSandbox();

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
