import * as vscode from 'vscode';
import type { Delivery } from '../../model/delivery.ts';
import { type DeliveryFilter, fitsFilter, isEmptyFilter } from '../../model/deliveryFilter.ts';
import { DeliveryList, summarise } from '../../model/deliveryList.ts';
import { plainText } from '../../model/plainText.ts';
import { config } from '../config.ts';
import { contextIds, viewIds } from '../ids.ts';
import type { Listener } from '../listener/listener.ts';
import type { Log } from '../log.ts';
import { reportError } from '../reportError.ts';
import { DeliveriesTree, type DeliveryNode } from './deliveriesTree.ts';
import { verdictText } from './deliveryItem.ts';

/** What the view takes of the listener. */
export type DeliverySource = Pick<
  Listener,
  'list' | 'onDidReceiveDelivery' | 'onDidChangeDelivery' | 'onDidClear'
>;

/** So many rows at first, and so many more with each "Load more…". */
const page = 200;

/** Deliveries that arrive within this time are drawn at once. */
const batchMs = 200;

/** The *Deliveries* view: the kept deliveries, newest first, as far as they fit the filter. */
export class DeliveriesView implements vscode.Disposable {
  readonly #source: DeliverySource;
  readonly #log: Log;
  readonly #list = new DeliveryList();
  readonly #tree: DeliveriesTree;
  readonly #view: vscode.TreeView<DeliveryNode>;
  readonly #subscriptions: readonly { dispose(): unknown }[];
  #filter: DeliveryFilter = {};
  #limit = page;
  #hasMore = false;
  /** How many of the deliveries did not verify, the filter aside. */
  #unverified = 0;
  /** What arrives while the kept deliveries are being read may be missing among them. */
  #arrivedInLoad: Delivery[] | undefined;
  /** Counts the loads, so that an older one that ends late is dropped. */
  #load = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(source: DeliverySource, log: Log) {
    this.#source = source;
    this.#log = log;
    this.#tree = new DeliveriesTree(this.#list, () => this.#hasMore);
    this.#view = vscode.window.createTreeView(viewIds.deliveries, {
      treeDataProvider: this.#tree,
      canSelectMany: true,
      showCollapseAll: true,
    });
    this.#subscriptions = [
      this.#tree,
      this.#view,
      source.onDidReceiveDelivery((delivery) => this.#add(delivery)),
      source.onDidChangeDelivery((delivery) => this.#change(delivery)),
      source.onDidClear(() => this.#clear()),
      this.#view.onDidChangeVisibility(() => this.#loadOnceVisible()),
    ];
    this.#loadOnceVisible();
  }

  get filter(): DeliveryFilter {
    return this.#filter;
  }

  get apps(): string[] {
    return this.#list.apps;
  }

  /** The ids of the deliveries that are selected, the oldest first. */
  get selected(): string[] {
    const ids = this.#view.selection.flatMap((node) => (node.kind === 'delivery' ? node.id : []));
    const time = (id: string) => this.#list.get(id)?.receivedAt ?? '';
    return ids.sort((a, b) => time(a).localeCompare(time(b)));
  }

  /** Narrows the view; an empty filter shows all. */
  async setFilter(filter: DeliveryFilter): Promise<void> {
    this.#filter = filter;
    await vscode.commands.executeCommand('setContext', contextIds.deliveriesFiltered, !isEmptyFilter(filter));
    await this.load();
  }

  async loadMore(): Promise<void> {
    this.#limit += page;
    await this.load();
  }

  /** Reads the kept deliveries anew. */
  async load(): Promise<void> {
    this.#load += 1;
    const load = this.#load;
    // What fits a filter may lie anywhere. Without one, a delivery over the limit tells that there are more.
    const filtered = !isEmptyFilter(this.#filter);
    const arrivedInLoad: Delivery[] = [];
    this.#arrivedInLoad = arrivedInLoad;
    const listed = await this.#source.list(filtered ? undefined : this.#limit + 1);
    if (load !== this.#load) return;
    this.#arrivedInLoad = undefined;
    const known = new Set(listed.map(({ id }) => id));
    const deliveries = [...arrivedInLoad.filter(({ id }) => !known.has(id)).reverse(), ...listed];
    const fitting = deliveries.filter((delivery) => fitsFilter(delivery, this.#filter));
    this.#hasMore = fitting.length > this.#limit;
    this.#unverified = deliveries.filter(isUnverified).length;
    this.#list.load(fitting.slice(0, this.#limit).map(summarise));
    this.#refresh();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of this.#subscriptions) one.dispose();
  }

  /** Reading starts the listener's thread, which a window that never shows the view has no need of. */
  #loadOnceVisible(): void {
    if (!this.#view.visible || this.#load > 0) return;
    this.load().catch((error: unknown) =>
      reportError(this.#log, vscode.l10n.t('Reading the deliveries'), error),
    );
  }

  #add(delivery: Delivery): void {
    this.#arrivedInLoad?.push(delivery);
    if (isUnverified(delivery)) this.#unverified += 1;
    if (fitsFilter(delivery, this.#filter)) this.#addRow(delivery);
    this.#timer ??= setTimeout(() => this.#refresh(), batchMs);
  }

  #addRow(delivery: Delivery): void {
    const keep = config.deliveriesKeep();
    // A burst must not draw more rows than were asked for: the oldest go behind "Load more…".
    this.#hasMore ||= this.#list.size >= this.#limit && this.#limit < keep;
    this.#list.add(summarise(delivery), Math.min(this.#limit, keep));
  }

  #change(delivery: Delivery): void {
    if (!this.#list.change(summarise(delivery))) return;
    if (this.#timer === undefined) this.#tree.refresh(delivery.id);
  }

  #clear(): void {
    this.#load += 1;
    this.#hasMore = false;
    this.#unverified = 0;
    this.#list.load([]);
    this.#refresh();
  }

  #refresh(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#view.badge = {
      value: this.#unverified,
      tooltip: vscode.l10n.t('Deliveries that did not verify: {0}', this.#unverified),
    };
    this.#view.message = this.#filterText();
    this.#log.trace(`Deliveries shown: ${this.#list.size}`);
    this.#tree.refresh();
  }

  #filterText(): string {
    if (isEmptyFilter(this.#filter)) return '';
    const { verdict, app, text } = this.#filter;
    const { t } = vscode.l10n;
    const parts = [
      verdict && verdictText(verdict),
      app && t('app {0}', plainText(app)),
      text && t('"{0}" in the body', plainText(text)),
    ].filter(Boolean);
    const what = parts.join(', ');
    return t('Filter: {0} · {1}', what, countText(this.#list.size));
  }
}

function isUnverified({ verdict }: Delivery): boolean {
  return verdict !== 'verified';
}

function countText(count: number): string {
  if (count === 0) return vscode.l10n.t('no delivery fits');
  return count === 1 ? vscode.l10n.t('1 delivery') : vscode.l10n.t('{0} deliveries', count);
}
