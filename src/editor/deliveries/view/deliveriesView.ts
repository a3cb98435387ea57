import * as vscode from 'vscode';
import { all, type DeliveryFilter, isEmptyFilter } from '../../../deliveries/deliveryFilter.ts';
import type { SeenInDeliveries } from '../../../deliveries/find/findCompletions.ts';
import { printFind } from '../../../deliveries/find/findQuery.ts';
import { type DeliveryPage, isUnkept, type UnkeptRequest } from '../../../deliveries/listenerProtocol.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { targetsText } from '../../../deliveries/routes/targetText.ts';
import type { LazyView } from '../../kit/lazyView.ts';
import { contextIds, viewIds } from '../../kit/ids.ts';
import type { Listener } from '../../listener/feature.ts';
import type { ErrorSurface } from '../../kit/errorSurface.ts';
import { type DeliveryNode, deliveryRow, timeText } from './deliveryItem.ts';
import { brokenOffWithReason, brokenOffText } from '../../../shared/text/bytesText.ts';
import { ageText } from '../../../shared/text/durationText.ts';
import { commandIds } from '../../../contract/commands.ts';
import { PendingViewRequests } from '../../../shared/async/pendingViewRequests.ts';
import type { Delivery } from '../../../contract/delivery.ts';
import { repeatsText } from '../../../deliveries/verdictText.ts';
import { clicked } from '../../kit/commands.ts';
import { joined, node, reachWindow, revealRow, themeIcon, watchAges } from '../../kit/tree.ts';
import { awayText, type ListenerState } from '../../../deliveries/listenerState.ts';

/** How many deliveries are shown at first, and how many more with each "Load More". */
const pageSize = 200;

/**
 * The minimum time between two redraws, in milliseconds. During a redraw the editor does not know the rows, and a
 * click on one passes no row.
 */
const drawMs = 500;
/** The same after a redraw that did not have to wait: what becomes of a delivery follows soon after it. */
const soonMs = 100;
/** A search is repeated for news only after so many times what it took: it takes time of the listener program. */
const restTimes = 10;

/** How many header names are remembered for completions. */
const mostHeaders = 50;

/** With more runs in the filter, the message above the rows shows their number instead of their ids. */
const mostRunsShown = 3;

/** The workspace state key of the filter. */
const filterKey = 'deliveries.filter';

/** What is found where nothing is kept. */
const nothing: Awaited<ReturnType<Listener['find']>> = {
  ...{ deliveries: [], hasMore: false, hits: 0, hasAllHits: true, kept: 0, apps: [] },
  unkept: [],
};

/** The part of the listener that the view uses. */
type DeliverySource = Pick<
  Listener,
  'find' | 'isAttached' | 'onDidReceiveNews' | 'onDidForget' | 'onDidClear' | 'state' | 'onDidChangeState'
> & {
  destinations: Pick<Listener['destinations'], 'forward' | 'onDidChange'>;
};

/** The *Deliveries* view: the kept deliveries that match the filter, newest first, as the program finds them. */
export class DeliveriesView implements vscode.Disposable {
  readonly #source: DeliverySource;
  readonly #errors: Pick<ErrorSurface, 'report'>;
  readonly #tree: DeliveriesTree;
  readonly #view: vscode.TreeView<DeliveryNode>;
  readonly #subscriptions: readonly { dispose(): unknown }[];
  readonly #memento: vscode.Memento;
  #filter: DeliveryFilter;
  #limit = pageSize;
  #found = nothing;
  /** The number of the last search: the results of older ones are dropped. */
  #search = 0;
  #isSearching = false;
  #tookMs = 0;
  #drawnAt = -Infinity;
  /** Resolves once the view is told to draw what was found. */
  #drawing: Promise<void> = Promise.resolve();
  /** Whether the last search for news had to wait for its turn. */
  #hasWaited = false;
  #timer: NodeJS.Timeout | undefined;
  /** Whether other deliveries may match by now than were found. */
  #isOutdated = true;
  /** The header names of the deliveries that were found, for completions in the filter. */
  #headers: readonly string[] = [];
  readonly #chosen = new vscode.EventEmitter<void>();
  /** The user selected a row. */
  readonly onDidChoose = this.#chosen.event;

  /** @param memento of the workspace: the filter outlives a reload */
  constructor(
    source: DeliverySource,
    rows: LazyView<DeliveryNode>,
    errors: Pick<ErrorSurface, 'report'>,
    memento: vscode.Memento,
  ) {
    this.#source = source;
    this.#errors = errors;
    this.#memento = memento;
    this.#filter = memento.get(filterKey, {});
    void this.#tellFiltered();
    this.#tree = new DeliveriesTree(() => ({
      ...this.#found,
      // A filter says nothing of them.
      unkept: isEmptyFilter(this.#filter) ? this.#found.unkept : [],
      // Where nothing is kept, the empty view says more of one that is stopped.
      notListening: this.#found.kept > 0 || source.state.kind === 'failed' ? source.state : undefined,
      isFiltered: !isEmptyFilter(this.#filter),
    }));
    this.#view = rows.view;
    rows.fill(this.#tree);
    const showTarget = (): void => {
      this.#view.description = targetsText(source.destinations.forward);
    };
    showTarget();
    this.#subscriptions = [
      this.#tree,
      this.#chosen,
      watchAges(this.#view, () => this.#tree.age()),
      watchAges(this.#view, () => this.#tree.countSeconds(), 1000),
      source.onDidReceiveNews(({ arrived, changed, brokenOff, refused }) => {
        if (arrived.length + changed.length > 0 || [...brokenOff, ...refused].some(isUnkept)) this.#outdate();
      }),
      source.onDidForget(() => this.#outdate()),
      source.onDidClear(() => this.#clear()),
      source.destinations.onDidChange(showTarget),
      source.onDidChangeState(() => {
        this.#view.message = this.#message();
        void this.#tree.refresh();
      }),
      this.#view.onDidChangeVisibility(() => this.#load()),
      this.#view.onDidChangeSelection(({ selection }) => {
        if (selection.length > 0) this.#chosen.fire();
      }),
    ];
    this.#load();
  }

  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${viewIds.deliveries}.focus`);
  }

  get filter(): DeliveryFilter {
    return this.#filter;
  }

  /** How many of the kept deliveries match the filter, and how many have no row of their own: `12 of 500, 1 repeat`. */
  get hits(): string {
    const { hits, hasAllHits, kept, deliveries } = this.#found;
    const repeats = deliveries.length - withRepeats(deliveries).length;
    const count = t('{0} of {1}', hasAllHits ? hits : `${hits}+`, kept);
    return joined(', ', count, repeats > 0 && repeatsText(repeats));
  }

  /** The apps and header names of kept deliveries, for completions in the filter. */
  get seen(): SeenInDeliveries {
    return { apps: this.#found.apps, headers: this.#headers };
  }

  /** The ids of the selected deliveries, oldest first. */
  get selected(): string[] {
    const rows = this.#view.selection.flatMap(({ delivery }) => delivery ?? []);
    return rows.sort((a, b) => a.receivedAt.localeCompare(b.receivedAt)).map(({ id }) => id);
  }

  /** Narrows the view; an empty filter shows all. */
  async setFilter(filter: DeliveryFilter): Promise<void> {
    this.#filter = filter;
    this.#limit = pageSize;
    await Promise.all([this.#find(), this.#tellFiltered(), this.#memento.update(filterKey, filter)]);
  }

  /** For the button that clears it. */
  #tellFiltered(): Thenable<unknown> {
    const isFiltered = !isEmptyFilter(this.#filter);
    return vscode.commands.executeCommand('setContext', contextIds.deliveriesFiltered, isFiltered);
  }

  async loadMore(): Promise<void> {
    const before = this.#found.deliveries;
    this.#limit += pageSize;
    await this.#find();
    // The row that was clicked has gone, and the focus with it. Where it finds no other row, it stays with the view.
    await revealRow(() => this.#focusBehind(before)).catch(() => undefined);
  }

  /** Focuses the first row behind those of deliveries that were shown before. */
  async #focusBehind(before: readonly Delivery[]): Promise<void> {
    await this.#drawing;
    const ids = new Set(before.map(({ id }) => id));
    const oldest = before.at(-1)?.receivedAt ?? '';
    const first = this.#tree
      .rows()
      .find(({ delivery }) => delivery && delivery.receivedAt <= oldest && !ids.has(delivery.id));
    if (first !== undefined) await this.#view.reveal(first, { focus: true, select: false });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of this.#subscriptions) one.dispose();
  }

  /** Finds what a visible view has to show. Reading starts the listener program, which other windows do not need. */
  #load(): void {
    if (!this.#view.visible || !this.#isOutdated || this.#isSearching) return;
    const load = () => this.#find();
    load().catch((error: unknown) => this.#errors.report(t('Reading deliveries'), error, load));
  }

  /** Nothing is kept any more. It is not asked whether that is so: the program may have ended at once. */
  #clear(): void {
    this.#search += 1;
    this.#isSearching = false;
    this.#found = nothing;
    this.#draw();
    this.#outdate();
  }

  /** Kept deliveries have changed. */
  #outdate(): void {
    this.#isOutdated = true;
    this.#findSoon();
  }

  /** Finds them again if need be, while somebody sees them and the program is there. */
  #findSoon(): void {
    if (!this.#isOutdated || !this.#view.visible || this.#isSearching) return;
    if (this.#timer !== undefined) return;
    const restMs = this.#hasWaited ? Math.max(drawMs, restTimes * this.#tookMs) : soonMs;
    const waitMs = Math.max(0, this.#drawnAt + restMs - performance.now());
    this.#hasWaited = waitMs > 0;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#source.isAttached) this.#load();
    }, waitMs);
  }

  async #find(): Promise<void> {
    const search = (this.#search += 1);
    const begun = performance.now();
    // A search that has to start the program first says nothing of how long the next takes.
    const isStarted = this.#source.isAttached;
    this.#isSearching = true;
    this.#isOutdated = false;
    try {
      const found = await this.#source.find(this.#filter, this.#limit);
      if (search !== this.#search) return;
      this.#found = found;
      this.#tookMs = isStarted ? performance.now() - begun : 0;
      const names = found.deliveries.flatMap(({ headers }) => Object.keys(headers).sort());
      this.#headers = [...new Set([...names, ...this.#headers])].slice(0, mostHeaders);
      this.#draw();
    } catch (error) {
      if (search === this.#search) this.#isOutdated = true;
      throw error;
    } finally {
      if (search === this.#search) this.#isSearching = false;
    }
    this.#findSoon();
  }

  #draw(): void {
    this.#drawnAt = performance.now();
    this.#view.message = this.#message();
    this.#drawing = this.#tree.refresh();
  }

  #message(): string {
    const { state } = this.#source;
    const away = state.kind === 'listening' ? awayText(state) : undefined;
    return [away, this.#filterText()].filter(Boolean).join(' · ');
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

/** What the *Deliveries* view shows. */
interface Shown extends DeliveryPage {
  /** The state of the listener, which a row tells where it does not listen. */
  notListening?: ListenerState | undefined;
  /** Requests of which nothing is kept, in the order in which they arrived. */
  unkept?: readonly UnkeptRequest[];
  isFiltered?: boolean;
}

/** The rows of the *Deliveries* view. */
export class DeliveriesTree implements vscode.TreeDataProvider<DeliveryNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<DeliveryNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #requests = new PendingViewRequests(reachWindow);
  #pendingChange: Promise<void> | undefined;
  readonly #shown: () => Shown;
  readonly #now: () => number;
  /** The topmost rows as they are drawn. */
  #drawn: readonly DeliveryNode[] = [];

  /** @param shown the deliveries that the view shows; @param now Unix milliseconds */
  constructor(shown: () => Shown, now: () => number = Date.now) {
    this.#shown = shown;
    this.#now = now;
  }

  /** Draws the rows anew whose age has changed. The view keeps them, unlike in a redraw. */
  age(): void {
    this.#age(this.#drawn);
  }

  /** The same for those whose age counts in seconds, as their delivery is in the handler. */
  countSeconds(): void {
    const waiting = this.#drawn.filter(({ delivery }) => delivery?.isForwarding === true);
    if (waiting.length > 0) this.#age(waiting);
  }

  #age(drawn: readonly DeliveryNode[]): void {
    const fresh = new Map(this.rows().map((one) => [one.item.id, one]));
    const aged = drawn.filter((one) => {
      const now = fresh.get(one.item.id);
      if (now === undefined || now.item.description === one.item.description) return false;
      Object.assign(one, now);
      return true;
    });
    if (aged.length > 0 && this.#pendingChange === undefined) this.#changed.fire(aged);
  }

  /** Resolves once the view is told to draw its rows anew. */
  refresh(): Promise<void> {
    this.#pendingChange ??= this.#requests.taken().then(() => {
      this.#pendingChange = undefined;
      this.#changed.fire(undefined);
    });
    return this.#pendingChange;
  }

  getChildren(parent?: DeliveryNode): DeliveryNode[] {
    this.#requests.given();
    if (parent !== undefined) return (parent.children?.() ?? []) as DeliveryNode[];
    this.#drawn = this.rows();
    return [...this.#drawn];
  }

  getTreeItem({ item }: DeliveryNode): vscode.TreeItem {
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** The topmost rows as they are to be drawn. */
  rows(): DeliveryNode[] {
    const { deliveries, hasMore, notListening, unkept = [], isFiltered = false } = this.#shown();
    const now = this.#now();
    const rows = withRepeats(deliveries).map(([first, repeats]) => deliveryRow(first, repeats, false, now));
    for (const one of unkept.toReversed()) {
      const at = rows.findIndex(({ delivery }) => (delivery?.receivedAt ?? one.at) < one.at);
      rows.splice(at === -1 ? rows.length : at, 0, unkeptRow(one, now));
    }
    const none = isFiltered && rows.length === 0 ? [noneRow()] : [];
    return [...listenerRow(notListening), ...none, ...rows, ...(hasMore ? [moreRow()] : [])];
  }
}

/** Deliveries, each with its repeats, newest first. A repeat whose first is not among them stands by itself. */
function withRepeats(newestFirst: readonly Delivery[]): (readonly [Delivery, Delivery[]])[] {
  const repeatsOf = new Map<string, Delivery[]>();
  const firsts: Delivery[] = [];
  for (const delivery of newestFirst.toReversed()) {
    const repeats = repeatsOf.get(delivery.repeatOf ?? '');
    repeats?.push(delivery);
    if (repeats !== undefined) continue;
    firsts.push(delivery);
    repeatsOf.set(delivery.id, []);
  }
  return firsts.reverse().map((first) => [first, repeatsOf.get(first.id) ?? []]);
}

/** A request of which only a part arrived, or which was too large. */
function unkeptRow(one: UnkeptRequest, now: number): DeliveryNode {
  const { at, runId } = one;
  const isRefused = 'status' in one;
  const words = isRefused ? t('body too large') : brokenOffText(one.bytes, one.announced);
  const story = isRefused ? `${one.status}: ${one.reason}` : brokenOffWithReason(one);
  return node({
    id: `unkept ${at} ${words}`,
    label: '–',
    description: `${words} · ${ageText(Math.max(0, now - Date.parse(at)))}`,
    icon: isRefused
      ? themeIcon('warning', 'problemsWarningIcon.foreground')
      : themeIcon('circle-large-outline', 'disabledForeground'),
    tooltip: runId === undefined ? story : `${story}\n${t('Run id {0}', plainText(runId))}`,
    spoken: `${words}, ${timeText(at)}`,
    argument: {},
    ...(runId !== undefined && {
      click: { command: commandIds.openRunAnswer, arguments: clicked({ id: runId }) },
    }),
  });
}

/** Says that nothing can arrive, and starts the listener by a click. */
function listenerRow(state: ListenerState | undefined): DeliveryNode[] {
  if (state?.kind !== 'stopped' && state?.kind !== 'failed') return [];
  const { icon, description, reason } =
    state.kind === 'stopped'
      ? { icon: themeIcon('circle-slash', 'disabledForeground'), description: t('stopped') }
      : {
          icon: themeIcon('error', 'problemsErrorIcon.foreground'),
          // What failed is red: the words are for why.
          description: plainText(state.reason),
          reason: plainText(state.reason, 400),
        };
  return [
    node({
      id: 'listener',
      label: t('Listener'),
      description,
      icon,
      tooltip: joined('\n', reason, t('No webhook can arrive. Start the listener.')),
      context: 'listener stopped',
      argument: {},
      click: { command: commandIds.startListener, title: t('Start Webhook Listener') },
    }),
  ];
}

/** Leads out of a filter that finds nothing. */
function noneRow(): DeliveryNode {
  return node({
    id: 'none',
    label: t('Clear Filter'),
    description: t('no delivery matches'),
    icon: themeIcon('filter'),
    argument: {},
    click: { command: commandIds.clearDeliveryFilter, arguments: [] },
  });
}

function moreRow(): DeliveryNode {
  const click = { command: commandIds.loadMoreDeliveries, arguments: [] };
  return node({ id: 'more', label: t('Load More'), argument: {}, click });
}
