import assert from 'node:assert/strict';
import { namedFields } from '../../../../src/editor/appSettings/settingsOfAnswer.ts';
import {
  changeSummary,
  settingsSummary,
  settingsText,
} from '../../../../src/service/settings/settingsText.ts';
import { undoOf } from '../../../../src/service/settings/appSettings.ts';

describe('what was applied', () => {
  it('is undone by the values before it, where they are known and differ', () => {
    const before = { gpuCount: 1, cpu: '1' };
    assert.deepEqual(undoOf({ before, sent: { gpuCount: 2, cpu: '1', memory: '8' } }), { gpuCount: 1 });
  });

  it('reads in the order of the form', () => {
    assert.equal(settingsText({ memory: '8', gpuCount: 2 }), '{\n  "gpuCount": 2,\n  "memory": "8"\n}');
    assert.equal(settingsSummary({ memory: '8', gpuCount: 2 }), 'GPUs 2, Memory 8');
    assert.equal(changeSummary({ gpuCount: 1 }, { memory: '8', gpuCount: 2 }), 'GPUs 1 → 2, Memory ? → 8');
    const summary = changeSummary({ gpuCount: 1 }, { gpuCount: 1, memory: '8' });
    assert.equal(summary, 'Memory ? → 8, GPUs 1 (same as last applied)');
  });
});

describe('the fields that an error names', () => {
  const cases: [string, string[]][] = [
    ['{"errors":[{"field":"gpuCount","message":"no"}]}', ['gpuCount']],
    ['{"detail":[{"loc":["body","min_replica_count"]}]}', ['minReplicaCount']],
    ['memory: too much', ['memory']],
    ['The CPU is on fire', []],
    ['Internal error', []],
  ];
  for (const [text, names] of cases) {
    it(`${text} → ${names.join(', ') || 'none'}`, () => assert.deepEqual(namedFields(text), names));
  }
});
