import assert from 'node:assert/strict';
import { settingsDiff, undoneText } from '../../../../src/service/settings/settingsText.ts';

describe('what an undo did', () => {
  it('is said in one sentence, with what it could not bring back', () => {
    assert.equal(undoneText([]), 'The last apply was undone.');
    assert.equal(
      undoneText(['cpu', 'memory']),
      'Undone except for CPU, Memory: what was in force before is not known.',
    );
  });
});

describe('settingsDiff', () => {
  it('shows what goes and what comes, in the order of the form', () => {
    const diff = settingsDiff({ gpuCount: 1, cpu: '4' }, { cpu: '8', gpuCount: 2 });
    assert.equal(diff, '- gpuCount: 1\n+ gpuCount: 2\n- cpu: "4"\n+ cpu: "8"');
  });

  it('has no line that goes for a value that nobody knows', () => {
    assert.equal(settingsDiff({}, { maxReplicaCount: 3 }), '+ maxReplicaCount: 3');
  });

  it('shows a value that stays the same as such, and leaves out what is not sent', () => {
    assert.equal(settingsDiff({ gpuCount: 0, memory: '1' }, { gpuCount: 0 }), '  gpuCount: 0');
  });
});
