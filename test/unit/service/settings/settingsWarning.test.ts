import assert from 'node:assert/strict';
import type { AppSettings } from '../../../../src/service/settings/appSettings.ts';
import { settingsWarnings } from '../../../../src/service/settings/settingsText.ts';

const above = 'The minimum of 5 replicas is above the maximum of 2.';
const cases: [known: AppSettings, changes: AppSettings, said: Record<string, string>][] = [
  [{}, { minReplicaCount: 5, maxReplicaCount: 2 }, { minReplicaCount: above }],
  [{ minReplicaCount: 5 }, { maxReplicaCount: 2 }, { maxReplicaCount: above }],
  [{}, { minReplicaCount: 5 }, {}],
  [{}, { minReplicaCount: 2, maxReplicaCount: 2 }, {}],
  [{ minReplicaCount: 5, maxReplicaCount: 2 }, { gpuCount: 1 }, {}],
  [{ compute: 'CPU' }, { gpuCount: 1 }, { gpuCount: 'The compute is CPU, and the number of GPUs is not 0.' }],
  [{ gpuCount: 1 }, { compute: 'CPU' }, { compute: 'The compute is CPU, and the number of GPUs is not 0.' }],
  [{ compute: 'CPU' }, { gpuCount: 0 }, {}],
  [
    { compute: 'ADA_L4' },
    { gpuCount: 0 },
    { gpuCount: 'ADA_L4 is an accelerator, and the number of GPUs is 0.' },
  ],
  [{}, { compute: 'INF2', gpuCount: 0 }, {}],
];

describe('warnings about settings', () => {
  for (const [known, changes, said] of cases) {
    it(`${JSON.stringify(known)} + ${JSON.stringify(changes)} → ${JSON.stringify(said)}`, () => {
      const found = settingsWarnings(known, changes).map(({ field, text }) => [field, text]);
      assert.deepEqual(Object.fromEntries(found), said);
    });
  }
});
