import assert from 'node:assert/strict';
import { request } from 'undici';
import { useSandbox } from '../../../support/service/useSandbox.ts';

describe('service-interface.md, section 8: Limits', () => {
  const service = useSandbox();

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
    await service.run('echo', { hook: service.receiver.url });
    await service.logged(/failed after 3 attempts/);
    assert.equal(times.length, 3);
    for (const [index, time] of times.slice(1).entries()) assert.ok(time - times[index]! <= 5100);
  });
});
