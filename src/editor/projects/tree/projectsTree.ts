import * as vscode from 'vscode';
import type { Key } from '../../../model/keys/key.ts';
import type { AppChildren } from './appChildren.ts';
import { DrawnNodes } from './drawnNodes.ts';
import type { AccountRef } from '../../../model/projects/accountRef.ts';
import type { KeyLists } from '../keys/keyLists.ts';
import { accountId, appsId, parentId } from './nodeId.ts';
import type { OwnSecrets } from '../ownSecrets.ts';
import type { ProjectItems } from './projectItems.ts';
import type { NodeOf, ProjectNode } from './projectNode.ts';
import { ProjectNodes } from './projectNodes.ts';
import type { Projects } from '../projects.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { ViewLines } from './viewLines.ts';

/** How many keys of an account are shown before "Load more…", and how many more each time. */
const pageSize = 200;

/** A list that comes sooner is not drawn as loading: the editor lets 200 ms pass between two changes of a view. */
const loadingAfterMs = 500;

/** The Projects view's data: project → service accounts → keys, and project → Apps → app. */
export class ProjectsTree implements vscode.TreeDataProvider<ProjectNode>, vscode.Disposable {
  readonly #keyLists: KeyLists;
  readonly #nodes: ProjectNodes;
  readonly #drawn: DrawnNodes;
  /** Loaded with the first children: nothing is drawn before. */
  #items: Pick<ProjectItems, 'of'> | undefined;
  readonly #loadItems: () => Promise<Pick<ProjectItems, 'of'>>;
  readonly #changed = new vscode.EventEmitter<ProjectNode[] | undefined>();
  readonly #subscriptions: vscode.Disposable;
  /** How many keys of an account are shown, where that is more than a page. */
  readonly #shown = new Map<string, number>();
  /** Below which elements something may have changed; undefined stands for the root. */
  readonly #due = new Set<string | undefined>();
  #looking: Promise<void> | undefined;
  #disposed = false;
  #filter = '';
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    projects: Projects,
    tokens: Tokens,
    keyLists: KeyLists,
    loadItems: () => Promise<Pick<ProjectItems, 'of'>>,
    appChildren: AppChildren,
    lines: ViewLines,
    secrets: OwnSecrets,
  ) {
    this.#keyLists = keyLists;
    this.#loadItems = loadItems;
    this.#nodes = new ProjectNodes(projects, tokens, appChildren, lines, secrets, keyLists.lenders);
    this.#drawn = new DrawnNodes({
      children: async (node) => (node && this.#isOnItsWay(node) ? undefined : this.#children(node)),
      item: (node) => this.#itemOf(node),
    });
    this.#subscriptions = vscode.Disposable.from(
      projects.onDidChange(() => this.redraw()),
      lines.onDidChange(() => this.redraw()),
      secrets.onDidChange(() => this.redraw()),
      keyLists.lenders.onDidChange(() => this.redraw()),
      keyLists.onDidChange((ref) => this.#keysChanged(ref)),
      // Whether an app can be unfolded is known where it is made.
      appChildren.onDidChange((app) => this.#redraw(appsId(app))),
    );
  }

  get filter(): string {
    return this.#filter;
  }

  /** Shows only keys whose name or id contains the text; the empty text shows all. */
  set filter(text: string) {
    this.#filter = text.trim().toLowerCase();
    this.#shown.clear();
    this.redraw();
  }

  /** Draws anew what does not look any more as it was drawn. */
  redraw(): void {
    this.#redraw(undefined);
  }

  showMore(ref: AccountRef): void {
    this.#shown.set(accountId(ref), this.#shownOf(ref) + pageSize);
    this.#redraw(accountId(ref));
  }

  /** The element of an account, to reveal it; undefined where it was never drawn. */
  accountNode(ref: AccountRef): ProjectNode | undefined {
    return this.#drawn.get(accountId(ref));
  }

  getTreeItem(node: ProjectNode): vscode.TreeItem {
    return this.#drawn.item(node);
  }

  async getChildren(node?: ProjectNode): Promise<ProjectNode[]> {
    return this.#drawn.give(node, await this.#children(node));
  }

  getParent(node: ProjectNode): ProjectNode | undefined {
    const id = parentId(node);
    return id === undefined ? undefined : this.#drawn.get(id);
  }

  dispose(): void {
    this.#disposed = true;
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  #itemOf(node: ProjectNode): vscode.TreeItem {
    if (this.#items === undefined) throw new Error('An element is drawn before it was given.');
    return this.#items.of(node);
  }

  async #children(node: ProjectNode | undefined): Promise<ProjectNode[]> {
    this.#items ??= await this.#loadItems();
    switch (node?.kind) {
      case undefined:
        return this.#nodes.roots();
      case 'project':
        return this.#nodes.ofProject(node);
      case 'account':
        return this.#ofAccount(node);
      case 'apps':
        return this.#nodes.ofApps(node);
      case 'app':
        return this.#nodes.ofApp(node);
      default:
        return [];
    }
  }

  async #ofAccount({ argument, token, lender }: NodeOf<'account'>): Promise<ProjectNode[]> {
    const { accountChildren, withoutToken } = await import('./accountChildren.ts');
    if (token.kind !== 'stored' && lender?.isAllowed !== true) return withoutToken(argument, token, lender);
    this.#loadUnknown(argument);
    const state = this.#keyLists.state(argument);
    const passes = (key: Key) => this.#passes(key);
    const shown = this.#shownOf(argument);
    return accountChildren({ ref: argument, state, shown, passes, lender: lender?.account });
  }

  /** Whether the list of an account is awaited, and not for so long that this is to be shown. */
  #isOnItsWay(node: ProjectNode): boolean {
    if (node.kind !== 'account' || node.token.kind !== 'stored') return false;
    this.#loadUnknown(node.argument);
    const state = this.#keyLists.state(node.argument);
    return state.kind === 'loading' && Date.now() - state.since < loadingAfterMs;
  }

  #loadUnknown(ref: AccountRef): void {
    // Its outcome, a failure too, arrives by onDidChange.
    if (this.#keyLists.state(ref).kind === 'unknown') this.#keyLists.load(ref).catch(() => undefined);
  }

  #shownOf(ref: AccountRef): number {
    return this.#shown.get(accountId(ref)) ?? pageSize;
  }

  #passes({ id, name }: Key): boolean {
    return this.#filter === '' || [id, name].some((text) => text?.toLowerCase().includes(this.#filter));
  }

  #keysChanged(ref: AccountRef): void {
    const isLoading = this.#keyLists.state(ref).kind === 'loading';
    // A little later: a timer may be early.
    if (isLoading) setTimeout(() => this.#redraw(accountId(ref)), loadingAfterMs + 20).unref();
    else this.#redraw(accountId(ref));
  }

  /** Draws anew what does not look as it was drawn, from an element downwards. */
  #redraw(id: string | undefined): void {
    if (this.#disposed) return;
    this.#due.add(id);
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
  }

  async #look(): Promise<void> {
    while (this.#due.size > 0) {
      // A burst of changes is looked at once.
      await new Promise((resolve) => setImmediate(resolve));
      const ids = this.#due.has(undefined) ? [undefined] : [...this.#due];
      this.#due.clear();
      const changes = (await Promise.all(ids.map((id) => this.#changesFrom(id)))).flat();
      const nodes = changes.filter((node) => node !== undefined);
      if (nodes.length < changes.length) this.#changed.fire(undefined);
      else if (nodes.length > 0) this.#changed.fire(nodes);
    }
  }

  async #changesFrom(id: string | undefined): Promise<(ProjectNode | undefined)[]> {
    const node = id === undefined ? undefined : this.#drawn.get(id);
    if (id !== undefined && node === undefined) return [];
    // Where the elements cannot be made, the view that asks for them is told why.
    return this.#drawn.changed(node).catch(() => [undefined]);
  }
}
