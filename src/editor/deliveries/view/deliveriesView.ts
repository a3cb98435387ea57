import * as vscode from 'vscode';
import { all, type DeliveryFilter, isEmptyFilter } from '../../../model/deliveries/deliveryFilter.ts';
import { ShownDeliveries } from '../../../model/deliveries/shownDeliveries.ts';
import type { SeenInDeliveries } from '../../../model/find/findCompletions.ts';
import { printFind } from '../../../model/find/findQuery.ts';
import { hitsText } from '../../../model/find/hitsText.ts';
import type { FoundDeliveries, News } from '../../../model/processes/listenerProtocol.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { targetsText } from '../../../model/routes/targetText.ts';
import type { LazyView } from '../../kit/lazyView.ts';
import { config } from '../../kit/config.ts';
import { contextIds } from '../../ids.ts';
import type { Listener } from '../../listener/feature.ts';
import type { ErrorSurface } from '../../kit/errorSurface.ts';
import { DeliveriesTree } from './deliveriesTree.ts';
import type { DeliveryNode } from './deliveryItem.ts';

/**
 * The minimum time between two redraws, in milliseconds. During a redraw the editor does not know the rows, and a
 * click on one passes no row.
 */
const drawMs = 500;

/** How many header names are remembered for completions. */
const mostHeaders = 50;

/** With more runs in the filter, the message above the rows shows their number instead of their ids. */
const mostRunsShown = 3;

/** The part of the listener that the view uses. */
type DeliverySource = Pick<Listener, 'find' | 'onDidReceiveNews' | 'onDidForget'> & {
  destinations: Pick<Listener['destinations'], 'forward' | 'onDidChange'>;
};

/** The *Deliveries* view: the kept deliveries that match the filter, newest first. */
export class DeliveriesView implements vscode.Disposable {
  readonly #errors: Pick<ErrorSurface, 'report'>;
  readonly #shown: ShownDeliveries;
  readonly #tree: DeliveriesTree;
  readonly #view: vscode.TreeView<DeliveryNode>;
  readonly #subscriptions: readonly { dispose(): unknown }[];
  /** Cached: reading a setting for each delivery of a burst would keep the extension host busy. */
  #keep = config.deliveriesKeep();
  #timer: NodeJS.Timeout | undefined;
  #drawnAt = -Infinity;
  /** Whether loading the kept deliveries has started. */
  #isLoaded = false;
  /** The apps and header names of the kept deliveries, for completions in the filter. */
  seen: SeenInDeliveries = { apps: [], headers: [] };
  readonly #chosen = new vscode.EventEmitter<void>();
  /** The user selected a row. */
  readonly onDidChoose = this.#chosen.event;

  constructor(source: DeliverySource, rows: LazyView<DeliveryNode>, errors: Pick<ErrorSurface, 'report'>) {
    this.#errors = errors;
    this.#shown = new ShownDeliveries(
      (filter, limit) => source.find(filter, limit),
      () => this.#keep,
      Date.now,
      (found) => this.#learnFrom(found),
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
      this.#chosen,
      source.onDidReceiveNews((news) => void this.#take(news)),
      source.onDidForget(() => this.#reload()),
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

  /** How many deliveries match the filter: `12 of 500`. */
  get hits(): string {
    return hitsText(this.#shown.hits);
  }

  /** The ids of the selected deliveries, oldest first. */
  get selected(): string[] {
    const rows = this.#view.selection.flatMap(({ delivery }) => delivery ?? []);
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

  async loadMore(): Promise<void> {
    await this.#shown.loadMore();
    this.#refresh();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of this.#subscriptions) one.dispose();
  }

  /** Loads when the view is first visible: reading starts the listener program, which other windows do not need. */
  #loadOnceVisible(): void {
    if (this.#view.visible && !this.#isLoaded) this.#loadInBackground();
  }

  #reload(): void {
    this.#keep = config.deliveriesKeep();
    if (this.#isLoaded || this.#shown.size > 0) this.#loadInBackground();
  }

  #learnFrom({ apps, headerNames }: FoundDeliveries): void {
    const headers = [...new Set([...headerNames, ...this.seen.headers])].slice(0, mostHeaders);
    this.seen = { apps, headers };
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
    const updates = upserts.map(({ delivery, isNew }) =>
      isNew ? this.#shown.add(delivery) : this.#shown.change(delivery),
    );
    await Promise.all(updates);
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

/** The number of deliveries as text. @param none the text for no delivery */
export function countText(count: number, none: string): string {
  if (count === 0) return none;
  return count === 1 ? t('1 delivery') : t('{0} deliveries', count);
}
