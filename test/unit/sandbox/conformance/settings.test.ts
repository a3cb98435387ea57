import assert from 'node:assert/strict';
import { useSandbox } from '../../../support/useSandbox.ts';

// Over HTTP, against the sandbox as a program of its own: nothing of its inside is used here.
describe('service-interface.md, over HTTP: app settings', () => {
  const service = useSandbox();

  describe('2. Resources and their fields, and 8. Limits', () => {
    const accepted: Record<string, readonly unknown[]> = {
      compute: ['ADA_L4', 'ADA_L40', 'AMPERE_A10', 'CPU', 'INF2', 'TRN1', 'TURING_T4'],
      cooldownPeriodSeconds: [1, 3600],
      cpu: ['0', '0.5', '100'],
      gpuCount: [0, 8],
      maxReplicaCount: [1, 1000],
      memory: ['0', '16.5', '192'],
      minReplicaCount: [0, 1000],
      replicaConcurrency: [1, 1000],
      responseGracePeriodSeconds: [1, 3600],
    };
    const refused: Record<string, readonly unknown[]> = {
      compute: ['H100', 'cpu', 1, null],
      cooldownPeriodSeconds: [0, 3601, 1.5, '60'],
      cpu: ['101', '-1', 4, 'four', ''],
      gpuCount: [-1, 9, '1', 0.5],
      maxReplicaCount: [0, -1, null],
      memory: ['193', '192.5', 16],
      minReplicaCount: [-1, '0'],
      replicaConcurrency: [0, 1.5],
      responseGracePeriodSeconds: [0, 3601],
    };
    for (const [field, values] of Object.entries(accepted)) {
      it(`takes ${field}: ${values.map((value) => JSON.stringify(value)).join(', ')}`, async () => {
        for (const value of values) {
          const answer = await service.modify({ [field]: value });
          assert.equal(answer.status, 200, JSON.stringify(answer.body));
          assert.deepEqual((answer.body as Record<string, unknown>)[field], value);
        }
      });
    }
    for (const [field, values] of Object.entries(refused)) {
      it(`refuses ${field}: ${values.map((value) => JSON.stringify(value)).join(', ')}`, async () => {
        for (const value of values) {
          const answer = await service.modify({ [field]: value });
          assert.equal(answer.status, 422, JSON.stringify(value));
          const { errors } = answer.body as { errors: { field: string; message: string }[] };
          assert.deepEqual(
            errors.map((error) => error.field),
            [field],
          );
          assert.notEqual(errors[0]!.message, '');
        }
      });
    }

    it('has a message for each of several bad fields, and applies none of the good ones', async () => {
      await service.modify({ gpuCount: 1 });
      const answer = await service.modify({ gpuCount: 2, cpu: '101', memory: '193', colour: 'blue' });
      assert.equal(answer.status, 422);
      const { errors } = answer.body as { errors: { field: string }[] };
      assert.deepEqual(
        errors.map(({ field }) => field),
        ['cpu', 'memory', 'colour'],
      );
      assert.equal(((await service.modify({})).body as { gpuCount: number }).gpuCount, 1);
    });

    it('takes any of the fields, none included, and keeps those before', async () => {
      await service.modify({ compute: 'CPU', gpuCount: 0 });
      const answer = await service.modify({ gpuCount: 3 });
      assert.equal((answer.body as { compute: string }).compute, 'CPU');
      assert.equal((await service.modify({})).status, 200);
    });
  });
});
