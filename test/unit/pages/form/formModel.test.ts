import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FormModel } from '../../../../src/pages/form/formModel.ts';
import { type AppSettings, fields } from '../../../../src/service/settings/appSettings.ts';

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

  it('sends no field that was emptied', () => {
    const model = new FormModel({ gpuCount: 1 });
    model.type('gpuCount', '');
    model.type('cpu', '');
    assert.deepEqual(model.read().changes, {});
    assert.ok(model.isTouched('gpuCount'));
    assert.ok(!model.isTouched('cpu'));
    model.reset('gpuCount');
    assert.equal(model.text('gpuCount'), '1');
  });

  it('sends a field that was typed back to what was last applied, and says so', () => {
    const model = new FormModel({ minReplicaCount: 3, cpu: '4' });
    model.type('minReplicaCount', '4');
    model.type('minReplicaCount', ' 3');
    model.type('cpu', '2');
    assert.deepEqual(model.read().changes, { minReplicaCount: 3, cpu: '2' });
    assert.deepEqual([...model.read().same], ['minReplicaCount']);
  });

  it('judges no value that is to be corrected, nor the one from before it in its place', () => {
    const model = new FormModel({ maxReplicaCount: 3 });
    model.type('minReplicaCount', '5');
    assert.equal(model.read().warnings.length, 1);
    model.type('maxReplicaCount', '0');
    assert.deepEqual(model.read().warnings, []);
  });

  it('sends again what was last applied, where somebody asks for it', () => {
    const model = new FormModel({ compute: 'CPU' });
    assert.ok(model.canSendAgain('compute'));
    assert.ok(!model.canSendAgain('cpu'), 'what was never applied can not be sent again');
    model.sendAgain('compute');
    model.sendAgain('cpu');
    assert.deepEqual(model.read().changes, { compute: 'CPU' });
    assert.ok(!model.canSendAgain('compute'), 'it is sent already');
  });

  it('leaves alone what was reset, or undone to where it started', () => {
    const model = new FormModel({ gpuCount: 1, minReplicaCount: 3 });
    model.sendAgain('gpuCount');
    model.reset('gpuCount');
    model.type('minReplicaCount', '34');
    model.untype('minReplicaCount', '3');
    assert.deepEqual(model.typed, {});
    model.type('minReplicaCount', '345');
    model.untype('minReplicaCount', '34');
    assert.deepEqual(model.read().changes, { minReplicaCount: 34 });
  });

  it('has nothing left to send of what was applied just so elsewhere, and keeps all else', () => {
    const model = new FormModel({ gpuCount: 1, cpu: '4' });
    model.type('gpuCount', '2');
    model.type('memory', '8');
    model.sendAgain('cpu');
    const changed = model.learnApply({ gpuCount: 2, cpu: '4', memory: '16' }, { gpuCount: 2, cpu: '4' });
    assert.deepEqual(model.typed, { memory: '8' });
    assert.deepEqual(changed, ['memory']);
    assert.deepEqual(model.learnApply({ gpuCount: 3, cpu: '4', memory: '8' }, { gpuCount: 3 }), ['gpuCount']);
    assert.deepEqual(model.typed, {});
  });

  it('keeps what an apply sent whose outcome is not known', () => {
    const model = new FormModel({ gpuCount: 1 });
    model.type('gpuCount', '2');
    model.learnApply({}, { gpuCount: 2 });
    assert.deepEqual(model.read().changes, { gpuCount: 2 });
  });

  it('has nothing left of any settings that were typed and applied to it among others', () => {
    const settings = fc.record(
      { gpuCount: fc.nat(8), cpu: fc.constantFrom('0', '4'), compute: fc.constantFrom('CPU', 'INF2') },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(settings, settings, (known, typed) => {
        const model = new FormModel(known);
        model.fill(typed);
        const { changes } = model.read();
        assert.deepEqual(model.learnApply({ ...known, ...changes }, changes), []);
        assert.deepEqual(model.typed, {});
      }),
    );
  });

  it('does not take a cleared field for a change', () => {
    const model = new FormModel({ gpuCount: 1, compute: 'CPU' });
    for (const text of ['', '  ']) {
      model.type('gpuCount', text);
      assert.ok(model.isCleared('gpuCount'));
    }
    model.type('compute', '');
    assert.ok(model.isCleared('compute'));
    assert.ok(!model.isCleared('cpu'));
    assert.deepEqual(model.read().changes, {});
    model.reset('gpuCount');
    assert.ok(!model.isCleared('gpuCount'));
  });

  it('goes on sending what became known to be the same otherwise', () => {
    const model = new FormModel({ gpuCount: 1 });
    model.type('gpuCount', '2');
    model.learn({ gpuCount: 2 });
    assert.deepEqual(model.read().changes, { gpuCount: 2 });
    assert.deepEqual([...model.read().same], ['gpuCount']);
  });

  it('has nothing left to send once it was sent, whatever the service answered', () => {
    const model = new FormModel({ gpuCount: 1 });
    model.sendAgain('gpuCount');
    model.applied(model.read().changes);
    model.learn({ gpuCount: 1 });
    assert.deepEqual(model.typed, {});
  });

  it('keeps what was typed when something changes elsewhere, and names what changed', () => {
    const model = new FormModel({ gpuCount: 1, memory: '8' });
    model.type('gpuCount', '2');
    assert.deepEqual(model.learn({ gpuCount: 4, memory: '16' }), ['gpuCount', 'memory']);
    assert.equal(model.text('gpuCount'), '2');
    assert.equal(model.text('memory'), '16');
    assert.ok(model.isTyped);
    assert.ok(!new FormModel({ gpuCount: 1 }).isTyped);
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

  it('comes back with what is sent again', () => {
    const model = new FormModel({ cpu: '4' });
    model.sendAgain('cpu');
    const again = new FormModel(model.known, model.typed);
    again.learn({ cpu: '4' });
    assert.deepEqual(again.read().changes, { cpu: '4' });
  });

  it('is filled as if it were typed', () => {
    const model = new FormModel({ minReplicaCount: 0 });
    model.fill({ minReplicaCount: 0, cooldownPeriodSeconds: 60 });
    assert.deepEqual(model.read().changes, { minReplicaCount: 0, cooldownPeriodSeconds: 60 });
    assert.deepEqual([...model.read().same], ['minReplicaCount']);
  });

  it('sends what is touched and valid, whatever was done before', () => {
    const names = fields.map(({ name }) => name);
    const settings = fc.record(
      { gpuCount: fc.nat(8), cpu: fc.constantFrom('0', '4'), compute: fc.constantFrom('CPU', 'INF2') },
      { requiredKeys: [] },
    );
    const text = fc.constantFrom('', '0', '4', ' 4', '99', 'CPU', 'many');
    const name = fc.constantFrom(...names);
    const step = fc.oneof(
      fc.tuple(fc.constant('type' as const), name, text),
      fc.tuple(fc.constant('untype' as const), name, text),
      fc.tuple(fc.constant('reset' as const), name),
      fc.tuple(fc.constant('sendAgain' as const), name),
      fc.tuple(fc.constant('fill' as const), settings),
      fc.tuple(fc.constant('learn' as const), settings),
    );
    const afterwards = (known: AppSettings, steps: readonly Step[]) => {
      const model = new FormModel(known);
      for (const [what, ...given] of steps) (model[what] as (...of: unknown[]) => unknown)(...given);
      const { changes, same, problems } = model.read();
      for (const one of names) {
        const isSent = changes[one] !== undefined;
        const isRight = model.isTouched(one) && model.text(one).trim() !== '' && !problems.has(one);
        assert.equal(isSent, isRight, one);
        assert.equal(same.has(one), isSent && changes[one] === model.known[one], one);
      }
      assert.deepEqual(new FormModel(model.known, model.typed).read(), model.read());
    };
    type Step = [
      keyof FormModel & ('type' | 'untype' | 'reset' | 'sendAgain' | 'fill' | 'learn'),
      ...unknown[],
    ];
    fc.assert(fc.property(settings, fc.array(step), afterwards));
  });
});
