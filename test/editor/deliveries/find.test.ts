import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DeliveryNode } from '../../../src/editor/deliveries/view/deliveryItem.ts';
import { DeliveriesView } from '../../../src/editor/deliveries/view/deliveriesView.ts';
import { FindField } from '../../../src/editor/deliveries/view/filterCommands.ts';
import { answerPromptsCommand } from '../../../src/editor/kit/scriptedPrompts.ts';
import { type Delivery, summarise } from '../../../src/model/deliveries/delivery.ts';
import { type DeliveryFilter, fitsFilter } from '../../../src/model/deliveries/deliveryFilter.ts';
import type { News } from '../../../src/model/processes/listenerProtocol.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';
import { searchResult } from '../../support/deliveries/searchResult.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const filterDeliveries = (argument?: object): Thenable<unknown> =>
  vscode.commands.executeCommand('runhook.filterDeliveries', argument);

/** A view over deliveries that are given, newest first. */
class Rig {
  readonly #news = new vscode.EventEmitter<News>();
  readonly #forget = new vscode.EventEmitter<void>();
  readonly #selected = new vscode.EventEmitter<{ selection: DeliveryNode[] }>();
  readonly asked: DeliveryFilter[] = [];
  /** Searches wait for it. */
  held: Promise<unknown> = Promise.resolve();
  tree: vscode.TreeDataProvider<DeliveryNode> | undefined;
  readonly shown: { visible: boolean; selection: DeliveryNode[]; message?: string } = {
    visible: true,
    selection: [],
  };
  readonly view: DeliveriesView;

  kept: Delivery[];

  constructor(kept: Delivery[]) {
    this.kept = kept;
    const source = {
      find: async (filter: DeliveryFilter, limit: number) => {
        this.asked.push(filter);
        const fitting = this.kept.filter((one) => fitsFilter(one, filter, Date.now()));
        const found = {
          hits: fitting.length,
          kept: this.kept.length,
          apps: ['echo'],
          headerNames: ['x-trace'],
        };
        await this.held;
        const hasMore = fitting.length > limit;
        return searchResult(fitting.slice(0, limit).map(summarise), { ...found, hasMore });
      },
      onDidReceiveNews: this.#news.event,
      onDidForget: this.#forget.event,
      destinations: {
        forward: { apps: new Map<string, never>(), rest: { kind: 'off' as const } },
        onDidChange: new vscode.EventEmitter<void>().event,
      },
    };
    const view = Object.assign(this.shown, {
      onDidChangeVisibility: new vscode.EventEmitter<never>().event,
      onDidChangeSelection: this.#selected.event,
    });
    const rows = {
      view: view as unknown as vscode.TreeView<DeliveryNode>,
      fill: (tree: vscode.TreeDataProvider<DeliveryNode>) => (this.tree = tree),
      dispose: () => undefined,
    };
    const errors = { report: (what: string) => assert.fail(what) };
    this.view = new DeliveriesView(source, rows, errors);
  }

  get rows(): DeliveryNode[] {
    return this.tree?.getChildren() as DeliveryNode[];
  }

  get ids(): string[] {
    return this.rows.flatMap((node) => node.delivery?.id ?? []);
  }

  item(node: DeliveryNode | undefined): vscode.TreeItem {
    assert.ok(node && this.tree);
    return this.tree.getTreeItem(node) as vscode.TreeItem;
  }

  select(node: DeliveryNode): void {
    this.#selected.fire({ selection: [node] });
  }

  arrive(delivery: Delivery): void {
    this.kept.unshift(delivery);
    const upserts = [{ delivery, isNew: true }];
    this.#news.fire({ upserts, revision: 1, refused: [], brokenOff: [], overflow: 0 });
  }
}

describe('the field over the deliveries', () => {
  let rig: Rig;
  let field: FindField;
  beforeEach(async () => {
    rig = new Rig([
      deliveryOf('c', { appName: 'echo', headers: { 'x-trace': 'order 77' } }),
      deliveryOf('b', { verdict: 'mismatch' }),
      deliveryOf('a', { appName: 'echo' }),
    ]);
    await waitFor('the deliveries', () => rig.ids.length === 3);
    field = new FindField(rig.view, '');
  });
  afterEach(() => rig.view.dispose());

  const labels = (): string[] => field.lines().map(({ label }) => label);
  const typed = async (text: string): Promise<void> => {
    field.follow(text);
    await field.shown;
  };

  it('narrows the view as it is typed into, and says how many fit', async () => {
    await typed('app:echo');
    assert.deepEqual(rig.ids, ['c', 'a']);
    assert.equal(rig.shown.message, '2 of 3 · app:echo');
    assert.match(field.lines()[0]?.description ?? '', /^2 of 3 ·/);
    await typed('app:echo "order 77"');
    assert.deepEqual(rig.ids, ['c']);
    await typed('app:echo "order 78"');
    assert.deepEqual([rig.ids, rig.shown.message], [[], '0 of 3 · app:echo "order 78"']);
    await typed('');
    assert.deepEqual([rig.ids, rig.shown.message], [['c', 'b', 'a'], '']);
  });

  it('has the text itself in front, and behind it how its last word can go on', async () => {
    assert.deepEqual(labels().slice(0, 3), ['All deliveries', 'app:', 'run:']);
    await typed('verdict:mismatch app:e');
    assert.deepEqual(labels(), ['verdict:mismatch app:e', 'app:echo']);
    assert.equal(field.lines()[1]?.text, 'verdict:mismatch app:echo ');
    await typed('header:');
    assert.deepEqual(labels(), ['header:', 'header:x-trace']);
  });

  it('says what is wrong with a word, and is not left with it', async () => {
    await typed('app:echo status:oops');
    assert.match(field.lines()[0]?.description ?? '', /500, 5xx/);
    assert.deepEqual([field.canBeKept(), rig.ids], [false, ['c', 'a']]);
  });

  it('goes back to what was shown before', async () => {
    await rig.view.setFilter({ verdict: 'mismatch' });
    field = new FindField(rig.view, '');
    assert.equal(field.value, 'verdict:mismatch ');
    await typed('app:echo');
    field.restore();
    await field.shown;
    assert.deepEqual([rig.ids, rig.view.filter], [['b'], { verdict: 'mismatch' }]);
  });

  it('shows nothing of an older search once a newer is answered', async () => {
    const slow = Promise.withResolvers<undefined>();
    rig.held = slow.promise;
    field.follow('app:echo');
    const older = field.shown;
    rig.held = Promise.resolve();
    field.follow('verdict:mismatch');
    slow.resolve(undefined);
    await Promise.all([older, field.shown]);
    assert.deepEqual([rig.ids, rig.shown.message], [['b'], '1 of 3 · verdict:mismatch']);
  });

  it('asks for nothing where a letter changes nothing', async () => {
    await typed('app:echo');
    const { length } = rig.asked;
    await typed('app:echo ');
    await typed('app:echo verdict:');
    assert.equal(rig.asked.length, length);
  });

  it('keeps its text where a row is chosen meanwhile', () => {
    let chosen = 0;
    const listening = field.listen(
      () => undefined,
      () => (chosen += 1),
    );
    const [row] = rig.rows;
    assert.ok(row);
    rig.select(row);
    listening.dispose();
    rig.select(row);
    assert.equal(chosen, 1);
  });

  it('is opened by the command, and remembers what was looked for', async () => {
    const answer = (...answers: unknown[]) => vscode.commands.executeCommand(answerPromptsCommand, answers);
    await answer(['app', 'app:echo'], false);
    await filterDeliveries();
    await filterDeliveries();
    await vscode.commands.executeCommand('runhook.clearDeliveryFilter');
    assert.equal(new FindField(rig.view, 'app:echo').lines()[1]?.text, 'app:echo');
  });

  it('is opened from the title of the view, whatever row has the focus: the editor hands that one over', async () => {
    const answer = (...answers: unknown[]) => vscode.commands.executeCommand(answerPromptsCommand, answers);
    const many = new Rig(Array.from({ length: 250 }, (_, at) => deliveryOf(`d${at}`)));
    try {
      await waitFor('the deliveries', () => many.ids.length > 0);
      const rows = new Map(many.rows.map((row) => [row.delivery === undefined ? 'more' : 'delivery', row]));
      assert.deepEqual([...rows.keys()], ['delivery', 'more']);
      for (const [kind, row] of rows) {
        await answer('app:echo');
        await filterDeliveries(row);
        assert.deepEqual(await answer(), [], `${kind}: no question was asked`);
      }
    } finally {
      many.view.dispose();
      await vscode.commands.executeCommand('runhook.clearDeliveryFilter');
    }
  });

  it('is not asked where the command is told what to show', async () => {
    await filterDeliveries({ query: 'status:5xx refused', app: 'echo', header: { name: 'x-trace' } });
    await filterDeliveries({ verdict: 'mismatch', app: 'echo', text: 'needle' });
    await assert.rejects(
      filterDeliveries({ query: 'verdict:mis' }) as Promise<unknown>,
      /A verdict is one of/,
    );
    await assert.rejects(filterDeliveries({ since: 'yesterday' }) as Promise<unknown>, /since/);
    await vscode.commands.executeCommand('runhook.clearDeliveryFilter');
  });
});
