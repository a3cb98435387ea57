import assert from 'node:assert/strict';
import type { AppSettings } from '../../../../src/service/settings/appSettings.ts';
import { changeLines, settingsWarnings } from '../../../../src/service/settings/settingsText.ts';

const above = 'The minimum of 5 replicas is above the maximum of 2.';
const replicas = ['minReplicaCount', 'maxReplicaCount'];
const accelerator = ['gpuCount', 'compute'];
const cpu = 'The compute is CPU, and the number of GPUs is not 0.';
const cases: [known: AppSettings, changes: AppSettings, fields?: string[], text?: string][] = [
  [{}, { minReplicaCount: 5, maxReplicaCount: 2 }, replicas, above],
  [{ minReplicaCount: 5 }, { maxReplicaCount: 2 }, replicas, above],
  [{}, { minReplicaCount: 5 }],
  [{}, { minReplicaCount: 2, maxReplicaCount: 2 }],
  // It stays though it was applied.
  [{ minReplicaCount: 5, maxReplicaCount: 2 }, { gpuCount: 1 }, replicas, above],
  [{ compute: 'CPU' }, { gpuCount: 1 }, accelerator, cpu],
  [{ gpuCount: 1 }, { compute: 'CPU' }, accelerator, cpu],
  [{ compute: 'CPU' }, { gpuCount: 0 }],
  [
    { compute: 'ADA_L4' },
    { gpuCount: 0 },
    accelerator,
    'ADA_L4 is an accelerator, and the number of GPUs is 0.',
  ],
  [{}, { compute: 'INF2', gpuCount: 0 }],
];

describe('warnings about settings', () => {
  for (const [known, changes, marked, text] of cases) {
    it(`${JSON.stringify(known)} + ${JSON.stringify(changes)} → ${text ?? 'none'}`, () => {
      const expected = marked === undefined ? [] : [{ fields: marked, text }];
      assert.deepEqual(settingsWarnings(known, changes), expected);
    });
  }

  it('are no part of a question about other fields', () => {
    const known = { minReplicaCount: 5, maxReplicaCount: 2 };
    assert.deepEqual(changeLines(known, { gpuCount: 1 }), ['GPUs ? → 1']);
    assert.deepEqual(changeLines(known, { maxReplicaCount: 3 }), [
      'Maximum replicas 2 → 3',
      `⚠ ${above.replace('of 2', 'of 3')}`,
    ]);
  });
});
