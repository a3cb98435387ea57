import * as vscode from 'vscode';
import type { Delivery } from '../../../model/deliveries/delivery.ts';
import { systemClock } from '../../../model/processes/clock.ts';
import { type DeliveryFilter, isEmptyFilter } from '../../../model/deliveries/deliveryFilter.ts';
import { DrawPace } from '../../../model/deliveries/drawPace.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { ShownDeliveries } from '../../../model/deliveries/shownDeliveries.ts';
import { verdictText } from '../../../model/deliveries/verdictText.ts';
import type { LazyView } from '../../activation/lazyView.ts';
import { config } from '../../config.ts';
import { contextIds } from '../../ids.ts';
import type { Listener } from '../../listener/feature.ts';
import type { Log } from '../../log.ts';
import { reportError } from '../../reportError.ts';
import { DeliveriesTree, type DeliveryNode } from './deliveriesTree.ts';

/** What the view takes of the listener. */
export type DeliverySource = Pick<
  Listener,
  'page' | 'unverified' | 'onDidReceiveDelivery' | 'onDidChangeDelivery' | 'onDidForget'
>;

/** The *Deliveries* view: the kept deliveries, newest first, as far as they fit the filter. */
export class DeliveriesView implements vscode.Disposable {
  readonly #source: DeliverySource;
  readonly #log: Log;
  readonly #shown: ShownDeliveries;
  readonly #tree: DeliveriesTree;
  readonly #view: vscode.TreeView<DeliveryNode>;
  readonly #subscriptions: readonly { dispose(): unknown }[];
  /** Read once: reading a setting for each delivery of a burst would keep the host busy. */
  #keep = config.deliveriesKeep();
  readonly #pace = new DrawPace(systemClock, () => this.#refresh());

  constructor(source: DeliverySource, rows: LazyView<DeliveryNode>, log: Log) {
    this.#source = source;
    this.#log = log;
    this.#shown = new ShownDeliveries(
      (filter, limit) => source.page(filter, limit),
      () => this.#keep,
    );
    this.#tree = new DeliveriesTree(this.#shown);
    this.#view = rows.view;
    rows.fill(this.#tree);
    this.#subscriptions = [
      this.#tree,
      source.onDidReceiveDelivery((delivery) => this.#add(delivery)),
      source.onDidChangeDelivery((delivery) => this.#change(delivery)),
      source.onDidForget(() => this.#loadAgain()),
      this.#view.onDidChangeVisibility(() => this.#loadOnceVisible()),
    ];
    this.#loadOnceVisible();
  }

  get filter(): DeliveryFilter {
    return this.#shown.filter;
  }

  get apps(): string[] {
    return this.#shown.list.apps;
  }

  /** The ids of the deliveries that are selected, the oldest first. */
  get selected(): string[] {
    const ids = this.#view.selection.flatMap((node) => (node.kind === 'delivery' ? node.id : []));
    const time = (id: string) => this.#shown.list.get(id)?.receivedAt ?? '';
    return ids.sort((a, b) => time(a).localeCompare(time(b)));
  }

  /** Narrows the view; an empty filter shows all. */
  async setFilter(filter: DeliveryFilter): Promise<void> {
    await vscode.commands.executeCommand('setContext', contextIds.deliveriesFiltered, !isEmptyFilter(filter));
    await this.#shown.filterBy(filter);
    this.#refresh();
  }

  async loadMore(): Promise<void> {
    await this.#shown.loadMore();
    this.#refresh();
  }

  dispose(): void {
    this.#pace.dispose();
    for (const one of this.#subscriptions) one.dispose();
  }

  /** Reading starts the listener's thread, which a window that never shows the view has no need of. */
  #loadOnceVisible(): void {
    if (this.#view.visible && !this.#shown.isLoaded) this.#loadInBackground();
  }

  #loadAgain(): void {
    this.#keep = config.deliveriesKeep();
    if (this.#shown.isLoaded || this.#shown.list.size > 0) this.#loadInBackground();
  }

  #loadInBackground(): void {
    this.#shown.load().then(
      () => this.#refresh(),
      (error: unknown) => reportError(this.#log, t('Reading the deliveries'), error),
    );
  }

  #add(delivery: Delivery): void {
    this.#shown.add(delivery);
    this.#pace.change();
  }

  #change(delivery: Delivery): void {
    if (this.#shown.change(delivery) && !this.#pace.isDue) this.#tree.refresh(delivery.id);
  }

  #refresh(): void {
    this.#pace.drawn();
    const { unverified } = this.#source;
    this.#view.badge = {
      value: unverified,
      tooltip: t('Deliveries that did not verify: {0}', unverified),
    };
    this.#view.message = this.#filterText();
    this.#log.trace(`Deliveries shown: ${this.#shown.list.size}`);
    this.#tree.refresh();
  }

  #filterText(): string {
    if (isEmptyFilter(this.filter)) return '';
    const { verdict, app, text } = this.filter;
    const parts = [
      verdict && verdictText(verdict),
      app && t('app {0}', plainText(app)),
      text && t('"{0}" in the body', plainText(text)),
    ].filter(Boolean);
    const what = parts.join(', ');
    return t('Filter: {0} · {1}', what, countText(this.#shown.list.size, t('no delivery fits')));
  }
}

/** How many deliveries there are. @param none what says that there is none */
export function countText(count: number, none: string): string {
  if (count === 0) return none;
  return count === 1 ? t('1 delivery') : t('{0} deliveries', count);
}
