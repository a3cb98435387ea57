import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { allCommands, type CommandId, commandIds, commandsById } from '../../src/contract/commands.ts';
import { type CommandLoaders, Commands, type Row } from '../../src/editor/kit/commands.ts';
import { DeliveriesTree } from '../../src/editor/deliveries/view/deliveriesView.ts';
import type { DeliveryNode } from '../../src/editor/deliveries/view/deliveryItem.ts';
import { type Node, node as nodeOf } from '../../src/editor/kit/tree.ts';
import { RunHistory } from '../../src/editor/run/history/runHistory.ts';
import { RunNodes } from '../../src/editor/run/history/runNodes.ts';
import { deliveryOf } from '../support/deliveries/deliveryOf.ts';
import { input } from '../support/deliveries/runInput.ts';
import { MemoryRuns } from '../support/editor/memoryRuns.ts';
import { answerPrompts, command } from '../support/editor/inEditor.ts';
import { evaluateWhen } from '../support/editor/whenClause.ts';
import { TreeRig } from './projects/treeRig.ts';

interface MenuEntry {
  command: CommandId;
  when: string;
}

/** A menu within the menu of a row. */
interface Submenu {
  submenu: string;
  when: string;
}

const { contributes } = vscode.extensions.getExtension('runhook.runhook')?.packageJSON as {
  contributes: {
    menus: Record<string, MenuEntry[]> & {
      'view/title': MenuEntry[];
      'view/item/context': (MenuEntry | Submenu)[];
    };
  };
};
const { menus } = contributes;
/** What the menu of a row has, and what the menus within it have. */
const ofRows = menus['view/item/context'].flatMap((entry) =>
  'submenu' in entry
    ? (menus[entry.submenu] ?? []).map(({ command: id, when }) => ({
        command: id,
        when: [entry.when, when].filter(Boolean).join(' && '),
      }))
    : entry,
);

interface Seen {
  id: CommandId;
  argument: unknown;
  from: string;
}

interface Shown {
  row: Row;
  viewItem: string;
  view: string;
}

describe('the rows of the views', () => {
  const rig = new TreeRig();
  const history = new RunHistory(new MemoryRuns());
  const nodes = new RunNodes(history);
  const shown: Shown[] = [];
  const seen: Seen[] = [];
  const told: string[] = [];
  let commands: Commands;

  before(async () => {
    await rig.start();
    const config = vscode.workspace.getConfiguration('runhook');
    const [project] = config.get<object[]>('projects', []);
    const apps = [{ id: 'hello' }];
    await config.update('projects', [{ ...project, apps }], vscode.ConfigurationTarget.Global);
    const app = { projectId: 'p-sandbox', appName: 'hello' };
    const run = { ...input, ...app };
    history.begin(run, 0);
    rig.rowsOf = (ref) => nodes.of(ref);
    await rig.keyLists.load(rig.ci);
    await walkProjects();
    walkDeliveries();
    commands = recording();
  });
  after(async () => {
    nodes.dispose();
    history.dispose();
    await rig.stop();
  });

  function show(row: Row, { contextValue = '' }: vscode.TreeItem, view: string): void {
    shown.push({ row, viewItem: contextValue, view });
  }

  async function walkProjects(parent?: Node): Promise<void> {
    for (const { node, item } of await rig.below(parent)) {
      show(node, item, 'runhook.projects');
      await walkProjects(node);
    }
    if (parent !== undefined) return;
    // Like "Load More", and the line of a sandbox that failed.
    const bare = nodeOf({ id: 'bare', label: 'bare', argument: { ...rig.ci, keyId: 'k' } });
    show(bare, bare.item, 'runhook.projects');
  }

  function walkDeliveries(): void {
    const at = new Date(0).toISOString();
    const attempt = { at, to: 'http://127.0.0.1:1/', durationMs: 1, kind: 'replay' as const };
    const delivery = deliveryOf('d-1', { attempts: [attempt] });
    const tree = new DeliveriesTree(() => ({
      deliveries: [delivery],
      hasMore: true,
      notListening: { kind: 'stopped' },
    }));
    const walk = (parent?: DeliveryNode): void => {
      for (const node of tree.getChildren(parent)) {
        show(node, tree.getTreeItem(node), 'runhook.deliveries');
        walk(node);
      }
    };
    walk();
  }

  /** Commands that write down what they are given. */
  function recording(): Commands {
    const handlers = Object.fromEntries(
      allCommands.map(({ name, id }) => [
        name,
        (argument: unknown, from: string) => void seen.push({ id, argument, from }),
      ]),
    );
    const loaders = Object.fromEntries(
      allCommands.map(({ feature }) => [feature, () => Promise.resolve(handlers)]),
    ) as unknown as CommandLoaders;
    return new Commands({
      loaders,
      argumentOf: () => undefined,
      errors: { report: (what: string) => void told.push(what) },
      titleOf: (id) => id,
      log: rig.log,
    });
  }

  it('are of every kind here', () => {
    assert.deepEqual([...new Set(shown.map(({ viewItem }) => viewItem.split(/[ :]/)[0]))].sort(), [
      '',
      'account',
      'app',
      'apps',
      'attempt',
      'delivery',
      'key',
      'listener',
      'message',
      'project',
      'run',
    ]);
  });

  it('say nothing to a command in the title of a view, whichever has the focus', async () => {
    for (const { command: id } of menus['view/title']) {
      for (const { row } of shown) {
        for (const given of [[row], [row, [row]], [{ ...row }]]) {
          seen.length = 0;
          await commands.run(id, given);
          assert.deepEqual(seen, [{ id, argument: undefined, from: 'palette' }], JSON.stringify(row));
        }
      }
    }
  });

  it('are the argument of each command in their own menu', async () => {
    const inTitle = new Set(menus['view/title'].map(({ command: id }) => id));
    let tried = 0;
    for (const { command: id, when } of ofRows) {
      for (const { row, viewItem, view } of shown) {
        if (inTitle.has(id) || !evaluateWhen(when, { viewItem, view })) continue;
        seen.length = 0;
        await commands.run(id, [row, [row]]);
        const { argument = v.object({}) } = commandsById[id];
        assert.deepEqual(seen, [{ id, argument: v.parse(argument, row.argument), from: 'menu' }]);
        tried += 1;
      }
    }
    assert.ok(tried > 50, String(tried));
    assert.deepEqual(told, []);
  });

  it('are told by what they are: an argument is that of a caller, whatever its properties', async () => {
    seen.length = 0;
    await commands.run(commandIds.addProject, [{ id: 'p-1', kind: 'run' }]);
    const argument = { id: 'p-1', serviceAccounts: [], apps: [] };
    assert.deepEqual(seen, [{ id: commandIds.addProject, argument, from: 'caller' }]);
  });

  it('add no project without a question', async () => {
    const added = () => vscode.workspace.getConfiguration('runhook').get<object[]>('projects', []).length;
    const before = added();
    for (const { row } of shown) {
      const asked: string[] = [];
      await answerPrompts((question: string) => void asked.push(question));
      await vscode.commands.executeCommand(commandIds.addProject, row);
      assert.equal(asked.length, 1, JSON.stringify(row));
    }
    assert.equal(added(), before);
    await command('refreshProjects');
  });
});
