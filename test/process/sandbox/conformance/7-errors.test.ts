import assert from 'node:assert/strict';
import { json, useSandbox } from '../../../support/service/useSandbox.ts';

describe('service-interface.md, section 7: Errors', () => {
  const service = useSandbox();

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
