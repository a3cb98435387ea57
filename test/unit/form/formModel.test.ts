import assert from 'node:assert/strict';
import { FormModel } from '../../../src/form/formModel.ts';

describe('the model of the form', () => {
  it('sends nothing that was not touched', () => {
    const model = new FormModel({ gpuCount: 1, memory: '8' });
    assert.equal(model.text('gpuCount'), '1');
    assert.equal(model.text('cpu'), '');
    assert.deepEqual(model.read().changes, {});
  });

  it('sends what was typed, each field in its own type', () => {
    const model = new FormModel({ gpuCount: 1 });
    model.type('gpuCount', '2');
    model.type('cpu', ' 0.5 ');
    model.type('compute', 'CPU');
    assert.deepEqual(model.read().changes, { gpuCount: 2, cpu: '0.5', compute: 'CPU' });
  });

  it('counts neither an emptied field nor one typed back as a change', () => {
    const model = new FormModel({ gpuCount: 1, minReplicaCount: 3 });
    model.type('gpuCount', '');
    model.type('minReplicaCount', '4');
    model.type('minReplicaCount', ' 3');
    assert.deepEqual(model.read().changes, {});
    assert.ok(model.isTouched('gpuCount'));
    model.reset('gpuCount');
    assert.equal(model.text('gpuCount'), '1');
  });

  it('keeps what was typed when something changes elsewhere, and names what changed', () => {
    const model = new FormModel({ gpuCount: 1, memory: '8' });
    model.type('gpuCount', '2');
    assert.deepEqual(model.learn({ gpuCount: 4, memory: '16' }), ['gpuCount', 'memory']);
    assert.equal(model.text('gpuCount'), '2');
    assert.equal(model.text('memory'), '16');
  });

  it('forgets what was applied, but not what was typed on meanwhile', () => {
    const model = new FormModel({});
    model.type('gpuCount', '2');
    model.type('memory', '8');
    const sent = model.read().changes;
    model.type('memory', '16');
    model.applied(sent);
    model.learn(sent);
    assert.deepEqual(model.typed, { memory: '16' });
    assert.deepEqual(model.read().changes, { memory: '16' });
  });

  it('comes back from what the webview kept, problems and all', () => {
    const model = new FormModel({});
    model.type('gpuCount', '99');
    model.type('cpu', '4');
    const again = new FormModel({}, model.typed);
    assert.deepEqual([...again.read().problems.keys()], ['gpuCount']);
    assert.deepEqual(again.read().changes, { cpu: '4' });
  });

  it('is filled as if it were typed', () => {
    const model = new FormModel({ minReplicaCount: 0 });
    model.fill({ minReplicaCount: 0, cooldownPeriodSeconds: 60 });
    assert.deepEqual(model.typed, { cooldownPeriodSeconds: '60' });
  });
});
