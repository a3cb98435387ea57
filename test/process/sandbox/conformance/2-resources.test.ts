import assert from 'node:assert/strict';
import { useSandbox } from '../../../support/service/useSandbox.ts';

describe('service-interface.md, section 2: Resources and their fields', () => {
  const service = useSandbox();

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
