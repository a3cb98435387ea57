import assert from 'node:assert/strict';
import { watchClearText } from '../../../src/editor/projects/clearTextWatch.ts';
import { eventually, setSetting } from '../../support/editor/inEditor.ts';
import { kindOf, TreeRig } from './treeRig.ts';

describe('an address that tokens go to unencrypted', () => {
  const rig = new TreeRig();
  let told: { message: string; buttons: string[] }[] = [];
  let answer: string | undefined;

  const watch = () =>
    watchClearText({
      projects: rig.projects,
      state: rig.state,
      tell: (message, ...buttons) => {
        told.push({ message, buttons });
        return Promise.resolve(answer);
      },
      log: rig.log,
    });

  before(() => rig.start());
  after(async () => {
    await setSetting('proxyUrl', undefined);
    await rig.stop();
  });
  beforeEach(() => {
    told = [];
    answer = undefined;
  });

  it('is warned of where it is set, once, and not on this machine', async () => {
    const watching = watch();
    assert.equal(told.length, 0);
    await setSetting('proxyUrl', 'http://run.example/v1');
    await eventually(() => told[0]);
    await setSetting('proxyUrl', 'http://run.example/v2');
    await setSetting('proxyUrl', 'http://other.example');
    await eventually(() => told[1]);
    assert.match(told[0]!.message, /^http:\/\/run\.example is not encrypted: tokens and webhook secrets/);
    assert.deepEqual(told[0]!.buttons, ['Open Settings', "Don't Warn Again for This Address"]);
    assert.match(told[1]!.message, /^http:\/\/other\.example is not encrypted/);
    assert.equal(told.length, 2);
    watching.dispose();
  });

  it('is warned of in the next window too, unless the user wants no warning for it', async () => {
    answer = "Don't Warn Again for This Address";
    watch().dispose();
    assert.equal(told.length, 1);
    await eventually(() => rig.state.get<string[]>('clearText.silenced'));
    watch().dispose();
    assert.equal(told.length, 1);
  });

  it('stands in the tree: on the project, and in a line that leads to the setting', async () => {
    const [project] = await rig.below();
    assert.equal(project!.item.description, 'not encrypted');
    assert.match(project!.item.tooltip as string, /http:\/\/other\.example is not encrypted/);
    assert.equal(project!.item.accessibilityInformation?.label, 'Acme, not encrypted');
    const [line] = await rig.below(project!.node);
    assert.equal(line!.item.label, 'Not encrypted: use https');
    assert.equal(line!.item.command?.command, 'workbench.action.openSettings');
    const listed = { id: 'p-sandbox', name: 'Acme', serviceAccounts: [{ id: 'sa-ci', name: 'ci' }] };
    await setSetting('projects', [{ ...listed, baseUrl: 'http://own.example' }]);
    const [ofOwn] = await rig.below((await rig.below())[0]!.node);
    assert.equal(ofOwn!.item.command?.command, 'runhook.setProjectAddresses');
    watch().dispose();
    assert.deepEqual(
      told.map(({ message, buttons }) => [message.split(' ')[0], buttons[0]]),
      [['http://own.example', 'Set Address…']],
    );
    await setSetting('projects', [listed]);
    await setSetting('proxyUrl', 'https://other.example');
    const redrawn = await eventually(async () => {
      const [root] = await rig.below();
      return root!.item.description === '' ? root : undefined;
    });
    assert.ok((await rig.below(redrawn.node)).every(({ node }) => kindOf(node) !== 'message'));
  });
});
