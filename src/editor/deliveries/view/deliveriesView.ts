import * as vscode from 'vscode';
import { Activity } from '../../../model/deliveries/activity.ts';
import { all, type DeliveryFilter, isEmptyFilter } from '../../../model/deliveries/deliveryFilter.ts';
import { ShownDeliveries } from '../../../model/deliveries/shownDeliveries.ts';
import type { SeenInDeliveries } from '../../../model/find/findCompletions.ts';
import { printFind } from '../../../model/find/findQuery.ts';
import { hitsText } from '../../../model/find/hitsText.ts';
import type { FoundDeliveries, News } from '../../../model/processes/listenerProtocol.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { targetsText } from '../../../model/routes/targetText.ts';
import type { LazyView } from '../../activation/lazyView.ts';
import { config } from '../../config.ts';
import { contextIds } from '../../ids.ts';
import type { Listener } from '../../listener/feature.ts';
import type { ErrorSurface } from '../../errors/errorSurface.ts';
import { DeliveriesTree, type DeliveryNode } from './deliveriesTree.ts';

/**
 * The view is drawn anew no sooner after the last time: while it is, the editor does not know its rows, and a click on
 * one names nothing.
 */
const drawMs = 500;

/** So many names of headers are remembered. */
const mostHeaders = 50;

/** The ids of more runs than that are not shown over the rows. */
const mostRunsShown = 3;

/** What the view takes of the listener. */
type DeliverySource = Pick<Listener, 'find' | 'onDidReceiveNews' | 'onDidForget'> & {
  destinations: Pick<Listener['destinations'], 'forward' | 'onDidChange'>;
};

/** Under which the editor remembers that what came lately is not to be drawn. */
const hiddenKey = 'deliveries.activityHidden';

/** The *Deliveries* view: the kept deliveries, newest first, as far as they fit the filter. */
export class DeliveriesView implements vscode.Disposable {
  readonly #errors: Pick<ErrorSurface, 'report'>;
  readonly #memento: vscode.Memento;
  readonly #activity = new Activity();
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
  /** What deliveries have that are kept, for whoever looks for them. */
  seen: SeenInDeliveries = { apps: [], headers: [] };
  readonly #chosen = new vscode.EventEmitter<void>();
  /** Another row was selected. */
  readonly onDidChoose = this.#chosen.event;

  /** @param memento remembers over all windows whether what came lately is drawn */
  constructor(
    source: DeliverySource,
    rows: LazyView<DeliveryNode>,
    memento: vscode.Memento,
    errors: Pick<ErrorSurface, 'report'>,
  ) {
    this.#errors = errors;
    this.#memento = memento;
    this.#shown = new ShownDeliveries(
      (filter, limit) => source.find(filter, limit),
      () => this.#keep,
      Date.now,
      (found) => this.#tookIn(found),
    );
    this.#tree = new DeliveriesTree(this.#shown, () =>
      this.#isActivityHidden ? undefined : this.#activity.text(),
    );
    this.#view = rows.view;
    this.#tellActivity();
    rows.fill(this.#tree);
    const showTarget = (): void => {
      this.#view.description = targetsText(source.destinations.forward);
    };
    showTarget();
    this.#subscriptions = [
      this.#tree,
      this.#chosen,
      source.onDidReceiveNews((news) => void this.#take(news)),
      source.onDidForget(() => this.#loadAgain()),
      source.destinations.onDidChange(showTarget),
      this.#view.onDidChangeVisibility(() => this.#loadOnceVisible()),
      this.#view.onDidChangeSelection(({ selection }) => {
        if (selection.length > 0) this.#chosen.fire();
      }),
    ];
    this.#loadOnceVisible();
  }

  get filter(): DeliveryFilter {
    return this.#shown.filter;
  }

  /** How many fit the filter: `12 of 500`. */
  get hits(): string {
    return hitsText(this.#shown.hits);
  }

  /** The ids of the deliveries that are selected, the oldest first. */
  get selected(): string[] {
    const rows = this.#view.selection.flatMap((node) => (node.kind === 'delivery' ? node.group.first : []));
    return rows.sort((a, b) => a.receivedAt.localeCompare(b.receivedAt)).map(({ id }) => id);
  }

  /** Narrows the view; an empty filter shows all. */
  async setFilter(filter: DeliveryFilter): Promise<void> {
    const { deliveriesFiltered } = contextIds;
    await Promise.all([
      this.#shown.filterBy(filter),
      vscode.commands.executeCommand('setContext', deliveriesFiltered, !isEmptyFilter(filter)),
    ]);
    this.#isLoaded = true;
    this.#refresh();
  }

  /** Draws what came lately over the rows, or not. */
  async showActivity(isShown: boolean): Promise<void> {
    await this.#memento.update(hiddenKey, isShown ? undefined : true);
    this.#tellActivity();
    this.#refresh();
  }

  get #isActivityHidden(): boolean {
    return this.#memento.get<boolean>(hiddenKey, false);
  }

  #tellActivity(): void {
    const { activityHidden } = contextIds;
    void vscode.commands.executeCommand('setContext', activityHidden, this.#isActivityHidden);
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
    this.#activity.forget();
    if (this.#isLoaded || this.#shown.size > 0) this.#loadInBackground();
  }

  #tookIn({ apps, headerNames, deliveries, hasMore }: FoundDeliveries): void {
    const headers = [...new Set([...headerNames, ...this.seen.headers])].slice(0, mostHeaders);
    this.seen = { apps, headers };
    if (isEmptyFilter(this.filter)) this.#activity.learn(deliveries, !hasMore);
  }

  #loadInBackground(): void {
    this.#isLoaded = true;
    const load = async () => {
      await this.#shown.load();
      this.#refresh();
    };
    load().catch((error: unknown) => this.#errors.report(t('Reading the deliveries'), error, load));
  }

  async #take({ upserts }: News): Promise<void> {
    const takenIn = upserts.map(({ delivery, isNew }) => {
      this.#activity.take(delivery);
      return isNew ? this.#shown.add(delivery) : this.#shown.change(delivery);
    });
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
    const { run, ...rest } = this.filter;
    const runs = all(run).length;
    // Their ids would fill the view.
    const query = runs > mostRunsShown ? `${t('{0} runs', runs)} ${printFind(rest)}` : printFind(this.filter);
    return `${this.hits} · ${plainText(query, 200)}`;
  }
}

/** How many deliveries there are. @param none what says that there is none */
export function countText(count: number, none: string): string {
  if (count === 0) return none;
  return count === 1 ? t('1 delivery') : t('{0} deliveries', count);
}
