import assert from 'node:assert/strict';
import { FormRig } from './formRig.ts';

describe('the settings that were last applied', () => {
  const rig = new FormRig();
  const known = async () => (await rig.load()).shown.lastApplied?.known;
  before(() => rig.start('dev'));
  after(() => rig.stop());

  it('belong to the service that the change was sent to, if another one is set before the answer', async () => {
    const { origin } = rig;
    rig.service.change = (answer) => {
      rig.origin = 'http://other.example';
      return answer;
    };
    await rig.ask('apply', { settings: { replicaConcurrency: 7 } });
    assert.equal(await known(), undefined, 'nothing was applied at the other service');
    rig.origin = origin;
    assert.deepEqual(await known(), { replicaConcurrency: 7 });
  });

  it('belong to it, too, if the answer breaks off', async () => {
    const { origin } = rig;
    rig.service.change = (answer) => {
      rig.origin = 'http://other.example';
      return { ...answer, body: '{"gpu', headers: ['content-length', '100', 'connection', 'close'] };
    };
    await rig.ask('apply', { settings: { replicaConcurrency: 8, gpuCount: 1 } });
    assert.equal(await known(), undefined);
    rig.origin = origin;
    assert.deepEqual(await known(), {}, 'what was sent is unknown now');
  });
});
