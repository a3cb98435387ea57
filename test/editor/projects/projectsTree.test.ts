import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { node, type Node } from '../../../src/editor/kit/tree.ts';
import { webhookSecrets } from '../../../src/editor/listener/secrets/webhookSecrets.ts';
import { KeyLists } from '../../../src/editor/projects/keyLists.ts';
import { KnownKeysStore } from '../../../src/editor/projects/knownKeys.ts';
import { Projects } from '../../../src/editor/projects/projects.ts';
import { type AppRows, ProjectsTree, type ViewLines } from '../../../src/editor/projects/projectsTree.ts';
import { Tokens } from '../../../src/editor/projects/tokens.ts';
import { LastChoices } from '../../../src/editor/run/lastChoices.ts';
import type { AppRef } from '../../../src/service/projects/project.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { MemorySecrets } from '../../support/editor/memorySecrets.ts';
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
    const memento = new MemoryMemento();
    const tokens = new Tokens(new MemorySecrets(), memento);
    const projects = new Projects({ tokens, workspaceState: memento, prompts: new AnsweredPrompts(), log });
    const refuse = () => Promise.reject(new Error('Nothing is asked of a service here.'));
    const keyLists = new KeyLists({
      projects,
      transport: refuse,
      userAgent: 'test',
      store: new KnownKeysStore(memento),
      log,
    });
    const secrets = webhookSecrets(new MemorySecrets(), projects);
    const ways = new LastChoices(memento, () => true);
    const now = Date.now;
    tree = new ProjectsTree({ projects, tokens, keyLists, secrets, appRows, ways, lines, log, now });
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
