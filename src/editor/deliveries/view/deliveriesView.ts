import * as vscode from 'vscode';
import { type DeliveryFilter, isEmptyFilter } from '../../../model/deliveries/deliveryFilter.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import type { News } from '../../../model/processes/listenerProtocol.ts';
import { ShownDeliveries } from '../../../model/deliveries/shownDeliveries.ts';
import { targetsText } from '../../../model/routes/targetText.ts';
import { verdictText } from '../../../model/deliveries/verdictText.ts';
import type { LazyView } from '../../activation/lazyView.ts';
import { config } from '../../config.ts';
import { contextIds } from '../../ids.ts';
import type { Listener } from '../../listener/feature.ts';
import type { Log } from '../../log.ts';
import { reportError } from '../../reportError.ts';
import { DeliveriesTree, type DeliveryNode } from './deliveriesTree.ts';

/**
 * The view is drawn anew no sooner after the last time: while it is, the editor does not know its rows, and a click on
 * one names nothing.
 */
const drawMs = 500;

/** What the view takes of the listener. */
type DeliverySource = Pick<Listener, 'page' | 'onDidReceiveNews' | 'onDidForget' | 'destinations'>;

/** The *Deliveries* view: the kept deliveries, newest first, as far as they fit the filter. */
export class DeliveriesView implements vscode.Disposable {
  readonly #log: Log;
  readonly #shown: ShownDeliveries;
  readonly #tree: DeliveriesTree;
  readonly #view: vscode.TreeView<DeliveryNode>;
  readonly #subscriptions: readonly { dispose(): unknown }[];
  /** Read once: reading a setting for each delivery of a burst would keep the host busy. */
  #keep = config.deliveriesKeep();
  #timer: NodeJS.Timeout | undefined;
  #drawnAt = -Infinity;
  /** Whether what is kept was asked for yet. */
  #isLoaded = false;

  constructor(source: DeliverySource, rows: LazyView<DeliveryNode>, log: Log) {
    this.#log = log;
    this.#shown = new ShownDeliveries(
      (filter, limit) => source.page(filter, limit),
      () => this.#keep,
    );
    this.#tree = new DeliveriesTree(this.#shown);
    this.#view = rows.view;
    rows.fill(this.#tree);
    const showTarget = (): void => {
      this.#view.description = targetsText(source.destinations.forward);
    };
    showTarget();
    this.#subscriptions = [
      this.#tree,
      source.onDidReceiveNews((news) => void this.#take(news)),
      source.onDidForget(() => this.#loadAgain()),
      source.destinations.onDidChange(showTarget),
      this.#view.onDidChangeVisibility(() => this.#loadOnceVisible()),
    ];
    this.#loadOnceVisible();
  }

  get filter(): DeliveryFilter {
    return this.#shown.filter;
  }

  get apps(): string[] {
    return this.#shown.apps;
  }

  /** The ids of the deliveries that are selected, the oldest first. */
  get selected(): string[] {
    const rows = this.#view.selection.flatMap((node) => (node.kind === 'delivery' ? node.group.first : []));
    return rows.sort((a, b) => a.receivedAt.localeCompare(b.receivedAt)).map(({ id }) => id);
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
    clearTimeout(this.#timer);
    for (const one of this.#subscriptions) one.dispose();
  }

  /** Reading starts the listener's thread, which a window that never shows the view has no need of. */
  #loadOnceVisible(): void {
    if (this.#view.visible && !this.#isLoaded) this.#loadInBackground();
  }

  #loadAgain(): void {
    this.#keep = config.deliveriesKeep();
    if (this.#isLoaded || this.#shown.size > 0) this.#loadInBackground();
  }

  #loadInBackground(): void {
    this.#isLoaded = true;
    this.#shown.load().then(
      () => this.#refresh(),
      (error: unknown) => reportError(this.#log, t('Reading the deliveries'), error),
    );
  }

  async #take({ upserts }: News): Promise<void> {
    const takenIn = upserts.map(({ delivery, isNew }) =>
      isNew ? this.#shown.add(delivery) : this.#shown.change(delivery),
    );
    await Promise.all(takenIn);
    const waitMs = Math.max(0, this.#drawnAt + drawMs - performance.now());
    this.#timer ??= setTimeout(() => this.#refresh(), waitMs);
  }

  #refresh(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#drawnAt = performance.now();
    this.#view.message = this.#filterText();
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
    return t('Filter: {0} · {1}', what, countText(this.#shown.size, t('no delivery fits')));
  }
}

/** How many deliveries there are. @param none what says that there is none */
export function countText(count: number, none: string): string {
  if (count === 0) return none;
  return count === 1 ? t('1 delivery') : t('{0} deliveries', count);
}
