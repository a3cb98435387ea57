import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import type { TransientProject } from '../../../src/editor/projects/projects.ts';
import type { Node } from '../../../src/editor/kit/tree.ts';
import { eventually } from '../../support/editor/inEditor.ts';
import { kindOf, TreeRig } from './treeRig.ts';

/** What draws all of the view anew. */
const everything = 'everything';

describe('what the Projects view draws anew', () => {
  let rig: TreeRig;

  beforeEach(async () => {
    rig = new TreeRig();
    await rig.start();
    await rig.keyLists.load(rig.ci);
    await rig.keyLists.load(rig.gone).catch(() => undefined);
    await rig.draw();
    await nothingButWhoIsActive();
  });
  afterEach(() => rig.stop());

  /** The redraws so far, each as the kinds and names of its elements, once there are so many. */
  async function redraws(count: number): Promise<(string | string[])[]> {
    return eventually(() =>
      rig.redraws.length < count ? undefined : rig.redraws.map((nodes) => nodes?.map(nameOf) ?? everything),
    );
  }

  /** Makes a change that is sure to be drawn, and holds that nothing was drawn before it. */
  async function nothingButWhoIsActive(): Promise<void> {
    const active = rig.projects.activeAccount('p-sandbox')?.id;
    rig.redraws.length = 0;
    await rig.projects.useAccount(active === 'sa-ci' ? rig.gone : rig.ci);
    assert.deepEqual(await redraws(1), [['account sa-ci', 'account sa-gone']]);
    await rig.draw();
    rig.redraws.length = 0;
  }

  it('is nothing where nothing that shows has changed', async () => {
    await rig.keyLists.load(rig.ci);
    await rig.projects.setToken(rig.ci, rig.service.address.token);
    rig.tree.redraw();
    rig.tree.filter = '';
    await nothingButWhoIsActive();
  });

  it('is the account where one of its keys has changed, or its keys are others', async () => {
    const key = { id: 'k-1', expires_at: '2031-03-02T10:00:00Z' };
    rig.service.answers(200, [key, { id: 'k-2' }]);
    await rig.keyLists.load(rig.ci);
    assert.deepEqual(await redraws(1), [['account sa-ci']]);
    await rig.draw();
    rig.service.answers(200, [{ ...key, name: 'renamed' }, { id: 'k-2' }]);
    await rig.keyLists.load(rig.ci);
    assert.deepEqual((await redraws(2))[1], ['account sa-ci']);
  });

  it('is what has changed also after somebody else has asked for the topmost rows', async () => {
    await rig.tree.firstApp('p-sandbox');
    await rig.below();
    await rig.projects.deleteToken(rig.ci);
    assert.deepEqual(await redraws(1), [['account sa-ci']]);
  });

  it('comes to a view that still waits for what was there before', async () => {
    const shown = new Map<Node, (string | vscode.TreeItemLabel | undefined)[]>();
    const asked = new Map<Node, Promise<void>>();
    /** As the editor asks: whoever asks again before the answer has come is given that one. */
    const ask = (node: Node): Promise<void> => {
      const asking =
        asked.get(node) ??
        rig
          .below(node)
          // It takes its time to the view.
          .then(async (below) => {
            await pause(30);
            shown.set(
              node,
              below.map(({ item }) => item.label),
            );
            asked.delete(node);
          });
      asked.set(node, asking);
      return asking;
    };
    rig.tree.onDidChangeTreeData((nodes) => {
      for (const node of nodes ?? []) void ask(node);
    });
    const { node } = await rig.account(rig.ci);
    for (const round of [1, 2, 3]) {
      const asking = ask(node);
      rig.service.answers(200, [{ id: `k-${round}`, expires_at: '2031-03-02T10:00:00Z' }]);
      await rig.keyLists.load(rig.ci);
      await asking;
      await eventually(() => (shown.get(node)?.[0] === `k-${round}` ? true : undefined));
    }
  });

  it('is the account once its list takes its time, and again when the list is there', async () => {
    let answer: (() => void) | undefined;
    rig.service.change = (given) =>
      new Promise((resolve) => {
        answer = () => resolve(given);
      });
    const loading = rig.keyLists.load(rig.ci);
    assert.deepEqual(await redraws(1), [['account sa-ci']]);
    assert.equal((await rig.lines(rig.ci))[0], 'Loading keys');
    answer?.();
    await loading;
    assert.deepEqual((await redraws(2))[1], ['account sa-ci']);
  });

  it('is all of it once where a project comes, and no app after that', async () => {
    const transient: TransientProject = {
      project: {
        id: 'p-transient',
        serviceAccounts: [{ id: 'sa-m' }],
        apps: [{ id: 'app-1' }, { id: 'app-2' }],
      },
      service: { baseUrl: rig.service.address.baseUrl, proxyUrl: rig.service.address.proxyUrl },
      tokens: new Map([['sa-m', 'token-of-the-transient']]),
      place: 'running',
      appNotes: new Map(),
    };
    const goOn = rig.secrets.pauseReading();
    rig.projects.addTransient(transient);
    assert.deepEqual(await redraws(1), [everything]);
    await rig.draw();
    goOn();
    // First its token is there, then the answer to it.
    assert.deepEqual((await redraws(2))[1], ['account sa-m']);
    await rig.draw();
    assert.deepEqual((await redraws(3))[2], ['account sa-m']);
    await rig.draw();
    rig.redraws.length = 0;
    rig.projects.addTransient({ ...transient, appNotes: new Map([['app-2', 'Applied: cpu 2']]) });
    assert.deepEqual(await redraws(1), [['app app-2']]);
    rig.projects.addTransient({
      ...transient,
      appNotes: new Map([['app-2', 'Applied: cpu 2']]),
      faults: ['misbehaves'],
    });
    assert.deepEqual((await redraws(2))[1], ['project p-transient']);
  });

  it('is given at once while the secret store is being read', async () => {
    const goOn = rig.secrets.pauseReading();
    await rig.secrets.store('runhook.token:another', 'window');
    assert.equal((await rig.lines(rig.ci)).length, 5);
    goOn();
  });
});

/** The kind of an element, and its id at the service. */
function nameOf(node: Node): string {
  const { projectId, serviceAccountId, appId } = node.argument as Record<string, string>;
  return `${kindOf(node)} ${appId ?? serviceAccountId ?? projectId}`;
}
