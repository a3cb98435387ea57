import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { kindOf, TreeRig } from './treeRig.ts';
import { setSetting } from '../../support/editor/inEditor.ts';

const { Global, Workspace } = vscode.ConfigurationTarget;
const set = async (value: unknown, target = Global) => setSetting('projects', value, target);

describe('the line of a project with addresses of its own', () => {
  const rig = new TreeRig();
  const project = { id: 'p-sandbox', name: 'Acme', serviceAccounts: [{ id: 'sa-ci' }] };
  const root = async () => (await rig.below())[0]!;

  before(() => rig.start());
  afterEach(() => set(undefined, Workspace));
  after(() => rig.stop());

  it('names their host', async () => {
    await set([{ ...project, baseUrl: 'https://api.beta.example/v1', proxyUrl: 'https://run.beta.example' }]);
    const { item } = await root();
    assert.equal(item.description, 'api.beta.example');
    assert.match(item.tooltip as string, /^Its service is at api\.beta\.example\.$/m);
    await set([{ ...project, baseUrl: 'http://api.beta.example' }]);
    assert.equal((await root()).item.description, 'not encrypted · api.beta.example');
    await set([project]);
    assert.equal((await root()).item.description, '');
  });

  it('says where a project is kept that others may share', async () => {
    await set([{ ...project, id: 'p-mine' }]);
    await set([project], Workspace);
    const tooltips = (await rig.below()).map(({ item }) => item.tooltip);
    const place = 'Kept in the settings of this workspace';
    assert.deepEqual(tooltips, [`Project p-sandbox\n${place}`, 'Project p-mine']);
    await set([project]);
  });

  it('comes after the lists that are not read whole, each of which leads to its settings', async () => {
    const told = async () => {
      const rows = await rig.below();
      return rows
        .slice(0, 2)
        .map(({ item: { label, description, command } }) => [
          label,
          String(description).replace(/.* · /, ''),
          command?.command,
        ]);
    };
    const ofWorkspace = ['workspace', 'workbench.action.openWorkspaceSettings'];
    const ofUser = ['user', 'workbench.action.openGlobalSettings'];
    await set([project, {}]);
    await set([project, { name: 'no id' }, 7], Workspace);
    assert.deepEqual(await told(), [
      ['2 entries left out', ...ofWorkspace],
      ['1 entry left out', ...ofUser],
    ]);
    await set({ 'p-1': project });
    await set('p-1', Workspace);
    assert.deepEqual(await told(), [
      ['Projects: not a list', ...ofWorkspace],
      ['Projects: not a list', ...ofUser],
    ]);
    await set([project]);
  });

  it('says that an address of the workspace does not count, and leads to those that do', async () => {
    const named = { baseUrl: 'https://elsewhere.example', proxyUrl: 'https://elsewhere.example' };
    await set([{ ...project, ...named }], Workspace);
    const { node, item } = await root();
    assert.equal(item.description, '');
    const [line] = await rig.below(node);
    const { label, description, tooltip, command } = line!.item;
    assert.deepEqual([label, description], ['Address ignored', 'Set Yours…']);
    assert.match(
      tooltip as string,
      /^https:\/\/elsewhere\.example: project addresses take effect only in your user settings/m,
    );
    assert.equal(command?.command, 'runhook.setProjectAddresses');
    assert.deepEqual(command.arguments, [{ argument: { projectId: 'p-sandbox' } }]);
    // Who has named an address, be it another one, has chosen.
    for (const address of ['https://elsewhere.example', 'https://api.example']) {
      await set([{ ...project, baseUrl: address, proxyUrl: address }]);
      const lines = await rig.below((await root()).node);
      assert.ok(
        lines.every((one) => kindOf(one.node) !== 'message'),
        address,
      );
    }
  });
});
