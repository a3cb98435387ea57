import assert from 'node:assert/strict';
import { settingsOfAnswer } from '../../../../src/editor/appSettings/settingsOfAnswer.ts';

const cases: [what: string, answer: unknown, settings: object][] = [
  ['nothing', undefined, {}],
  ['a text', 'OK', {}],
  ['the settings', { gpuCount: 2, cpu: '4' }, { gpuCount: 2, cpu: '4' }],
  ['a wrapped app', { data: { app: { id: 'a', settings: { memory: '8' } } } }, { memory: '8' }],
  [
    'snake case',
    { min_replica_count: 0, cooldown_period_seconds: 60 },
    { minReplicaCount: 0, cooldownPeriodSeconds: 60 },
  ],
  ['cpu as a number', { cpu: 0.5 }, { cpu: '0.5' }],
  [
    'whole numbers as text',
    { minReplicaCount: '1', gpu_count: '0', maxReplicaCount: '2.0', cooldownPeriodSeconds: ' 60 ' },
    { minReplicaCount: 1, gpuCount: 0, maxReplicaCount: 2, cooldownPeriodSeconds: 60 },
  ],
  ['text that is no whole number', { gpuCount: '1.5', minReplicaCount: '', maxReplicaCount: '0x2' }, {}],
  ['text that breaks a limit', { gpuCount: '99', cooldownPeriodSeconds: '12345678901234567890' }, {}],
  ['values that do not fit', { gpuCount: 99, memory: 'much', compute: 'CPU' }, { compute: 'CPU' }],
  ['too deep', { a: { b: { c: { d: { gpuCount: 1 } } } } }, {}],
  ['a list', [{ gpuCount: 1 }], {}],
];

describe('the settings of an answer to a PATCH', () => {
  for (const [what, answer, settings] of cases) {
    it(`${what} → ${JSON.stringify(settings)}`, () => assert.deepEqual(settingsOfAnswer(answer), settings));
  }
});
