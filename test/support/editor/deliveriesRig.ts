import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DeliveryNode } from '../../../src/editor/deliveries/view/deliveryItem.ts';
import { DeliveriesView } from '../../../src/editor/deliveries/view/deliveriesView.ts';
import type { Delivery, WholeDelivery } from '../../../src/contract/delivery.ts';
import type { DeliveryFilter } from '../../../src/deliveries/deliveryFilter.ts';
import type {
  BrokenOff,
  FoundDeliveries,
  News,
  UnkeptRequest,
} from '../../../src/deliveries/listenerProtocol.ts';
import type { ListenerState } from '../../../src/deliveries/listenerState.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { fitsFilter } from '../deliveries/fitsFilter.ts';

/** The result of a search that finds all kept deliveries. @param deliveries newest first */
function searchResult(deliveries: Delivery[], more: Partial<FoundDeliveries> = {}): FoundDeliveries {
  const count = deliveries.length;
  return {
    deliveries,
    hasMore: false,
    hits: count,
    hasAllHits: true,
    kept: count,
    apps: [],
    ...more,
  };
}

/** A view over deliveries that are given, newest first. */
export class DeliveriesRig {
  readonly #news = new vscode.EventEmitter<News>();
  readonly #visibility = new vscode.EventEmitter<never>();
  readonly #forget = new vscode.EventEmitter<void>();
  readonly #cleared = new vscode.EventEmitter<void>();
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
  /** The ids of the rows that the focus was moved to. */
  readonly focused: (string | undefined)[] = [];

  kept: WholeDelivery[];
  unkept: UnkeptRequest[] = [];
  isAttached = true;
  state: ListenerState = { kind: 'listening', port: 1, url: 'http://127.0.0.1:1/' };

  /** @param memento that of a window before, for one that was reloaded */
  constructor(kept: WholeDelivery[] = [], memento = new MemoryMemento()) {
    this.kept = kept;
    const isAttached = (): boolean => this.isAttached;
    const state = (): ListenerState => this.state;
    const source = {
      get isAttached() {
        return isAttached();
      },
      find: async (filter: DeliveryFilter, limit: number) => {
        this.asked.push(filter);
        const fitting = this.kept.filter((one) => fitsFilter(one, filter, Date.now()));
        const found = {
          hits: fitting.length,
          kept: this.kept.length,
          apps: ['echo'],
        };
        await this.held;
        const hasMore = fitting.length > limit;
        return { ...searchResult(fitting.slice(0, limit), { ...found, hasMore }), unkept: this.unkept };
      },
      onDidReceiveNews: this.#news.event,
      onDidForget: this.#forget.event,
      onDidClear: this.#cleared.event,
      get state() {
        return state();
      },
      onDidChangeState: new vscode.EventEmitter<never>().event,
      destinations: {
        forward: { apps: new Map<string, never>(), rest: { kind: 'off' as const } },
        onDidChange: new vscode.EventEmitter<void>().event,
      },
    };
    const view = Object.assign(this.shown, {
      onDidChangeVisibility: this.#visibility.event,
      onDidChangeSelection: this.#selected.event,
      reveal: (row: DeliveryNode, { focus = false }: { focus?: boolean }) => {
        if (focus) this.focused.push(row.delivery?.id);
        return Promise.resolve();
      },
    });
    const rows = {
      view: view as unknown as vscode.TreeView<DeliveryNode>,
      fill: (tree: vscode.TreeDataProvider<DeliveryNode>) => (this.tree = tree),
      dispose: () => undefined,
    };
    const errors = { report: (what: string) => assert.fail(what) };
    this.view = new DeliveriesView(source, rows, errors, memento);
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

  /** Deliveries are kept, and then told of, as the program does. */
  arrive(...deliveries: WholeDelivery[]): void {
    this.kept.unshift(...deliveries.toReversed());
    this.#tell({ arrived: deliveries });
  }

  /** A request breaks off, which the program tells and remembers. */
  breakOff(one: BrokenOff): void {
    this.unkept.push(one);
    this.#tell({ brokenOff: [one] });
  }

  change(id: string, changes: Partial<WholeDelivery>): void {
    const delivery = { ...this.kept.find((one) => one.id === id)!, ...changes };
    this.kept = this.kept.map((one) => (one.id === id ? delivery : one));
    this.#tell({ changed: [delivery] });
  }

  clear(): void {
    this.kept = [];
    this.unkept = [];
    this.#forget.fire();
    this.#cleared.fire();
  }

  #tell(news: Partial<News>): void {
    const nothing = { arrived: [], changed: [], revision: 1, refused: [], brokenOff: [], overflow: 0 };
    this.#news.fire({ ...nothing, ...news });
  }

  setVisible(isVisible: boolean): void {
    this.shown.visible = isVisible;
    this.#visibility.fire(undefined as never);
  }
}
