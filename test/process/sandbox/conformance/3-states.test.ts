import assert from 'node:assert/strict';
import { json, useSandbox } from '../../../support/service/useSandbox.ts';

describe('service-interface.md, section 3: States and transitions', () => {
  const service = useSandbox();

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
