import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { node, type Node } from '../../../src/editor/kit/tree.ts';
import type { AppRows, ProjectsTree, ViewLines } from '../../../src/editor/projects/projectsTree.ts';
import type { AppRef } from '../../../src/service/projects/project.ts';
import { ownTree } from '../../support/editor/ownTree.ts';
import { kindOf } from './treeRig.ts';

/** One line under each app, which failed two minutes ago. */
const appRows: AppRows = {
  onDidChange: new vscode.EventEmitter<AppRef>().event,
  of: ({ projectId, appName }) => [
    node({ id: `run ${appName}`, label: `a run of ${appName}`, context: 'run', argument: { projectId } }),
  ],
  newest: () => ({ icon: 'warning', text: 'app 500', isBad: true, at: Date.now() - 120_000 }),
};

/** One line below the projects. */
const lines: ViewLines = {
  onDidChange: new vscode.EventEmitter<void>().event,
  all: () => [node({ id: 'line', label: 'how something stands', context: 'line', argument: {} })],
};

describe('the data of the Projects view', () => {
  const service = { baseUrl: 'http://127.0.0.1:1', proxyUrl: 'http://127.0.0.1:1' };
  const account = { id: 'sa', name: 'ci' };
  let tree: ProjectsTree;
  let owned: vscode.Disposable;

  before(async () => {
    const log = vscode.window.createOutputChannel('Tree Test', { log: true });
    const transport = () => Promise.reject(new Error('Nothing is asked of a service here.'));
    const { tokens, projects, keyLists, tree: own } = ownTree({ log, transport, appRows, lines });
    tree = own;
    const mounts = [
      { id: 'p-full', serviceAccounts: [account], apps: [{ id: 'app-1', name: 'hello' }] },
      { id: 'p-bare', serviceAccounts: [], apps: [] },
    ].map((project) =>
      projects.addTransient({
        ...{ project, service, tokens: new Map([[account.id, 'token-of-the-tree']]) },
        faults: project.id === 'p-full' ? ['hang', 'repeat'] : [],
      }),
    );
    owned = vscode.Disposable.from(...mounts, tree, keyLists, projects, tokens, log);
    await projects.stored();
  });
  after(() => {
    owned.dispose();
  });

  it('says what became of the last run of an app, in the tooltip too: the buttons of the row cover it', async () => {
    const [project] = await tree.getChildren();
    const apps = (await tree.getChildren(project)).find((one) => kindOf(one) === 'apps');
    const [app] = await tree.getChildren(apps);
    assert.equal(app?.item.description, 'app 500 · 2 min');
    assert.match(app.item.tooltip as string, /^App app-1\nLast run: app 500 · 2 min\n/);
  });

  it('says which faults a project simulates, in the tooltip too: its label may be cut', async () => {
    const [full, bare] = await tree.getChildren();
    assert.equal(full?.item.label, 'p-full ⚠ 2 faults');
    assert.match(full.item.tooltip as string, /^It simulates hang, repeat\.$/m);
    assert.doesNotMatch(bare?.item.tooltip as string, /simulates/);
  });

  it('names as the parent of each element the one that it hangs under', async () => {
    const seen = new Set<string | undefined>();
    const check = async (parent: Node | undefined): Promise<void> => {
      for (const child of await tree.getChildren(parent)) {
        assert.deepEqual(tree.getParent(child), parent, `the parent of ${kindOf(child)}`);
        seen.add(kindOf(child));
        await check(child);
      }
    };
    await check(undefined);
    assert.deepEqual([...seen].sort(), ['account', 'app', 'apps', 'line', 'message', 'project', 'run']);
  });
});
