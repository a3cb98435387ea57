import * as vscode from 'vscode';
import type { Key } from '../../model/key.ts';
import { accountChildren, pageSize } from './accountChildren.ts';
import type { AppChildren } from './appChildren.ts';
import type { AccountRef, KeyLists } from './keyLists.ts';
import type { ProjectItems } from './projectItems.ts';
import type { NodeOf, ProjectNode } from './projectNode.ts';
import { accountKey, ProjectNodes } from './projectNodes.ts';
import type { Projects } from './projects.ts';
import { SlowLists } from './slowLists.ts';
import type { Tokens } from './tokens.ts';
import type { ViewLines } from './viewLines.ts';

/** A list that comes sooner is not drawn as loading: the editor lets 200 ms pass between two changes of a view. */
const loadingAfterMs = 500;

/** The Projects view's data: project → service accounts → keys, and project → Apps → app. */
export class ProjectsTree implements vscode.TreeDataProvider<ProjectNode>, vscode.Disposable {
  readonly #keyLists: KeyLists;
  readonly #items: ProjectItems;
  readonly #nodes: ProjectNodes;
  readonly #changed = new vscode.EventEmitter<ProjectNode | undefined>();
  readonly #subscriptions: vscode.Disposable;
  readonly #slowLists = new SlowLists(loadingAfterMs, (ref) => this.#redrawOne(this.#nodes.account(ref)));
  /** How many keys of an account are shown, where that is more than a page. */
  readonly #shown = new Map<string, number>();
  #filter = '';
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    projects: Projects,
    tokens: Tokens,
    keyLists: KeyLists,
    items: ProjectItems,
    appChildren: AppChildren,
    lines: ViewLines,
  ) {
    this.#keyLists = keyLists;
    this.#items = items;
    this.#nodes = new ProjectNodes(projects, tokens, appChildren, lines);
    this.#subscriptions = vscode.Disposable.from(
      projects.onDidChange(() => this.redraw()),
      lines.onDidChange(() => this.redraw()),
      keyLists.onDidChange((ref) => this.#keysChanged(ref)),
      appChildren.onDidChange((app) => this.#redrawOne(this.#nodes.app(app))),
      this.#slowLists,
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

  redraw(): void {
    this.#changed.fire(undefined);
  }

  showMore(ref: AccountRef): void {
    this.#shown.set(accountKey(ref), this.#shownOf(ref) + pageSize);
    this.#redrawOne(this.#nodes.account(ref));
  }

  /** The element of an account, to reveal it; undefined where it was never drawn. */
  accountNode(ref: AccountRef): NodeOf<'account'> | undefined {
    return this.#nodes.account(ref);
  }

  getTreeItem(node: ProjectNode): vscode.TreeItem {
    return this.#items.of(node);
  }

  async getChildren(node?: ProjectNode): Promise<ProjectNode[]> {
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

  getParent(node: ProjectNode): ProjectNode | undefined {
    return this.#nodes.parentOf(node);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  #ofAccount({ argument, token }: NodeOf<'account'>): ProjectNode[] {
    if (token.kind !== 'stored') {
      const lost = token.kind === 'missing';
      return [{ kind: 'message', message: { kind: 'tokenMissing', lost }, argument }];
    }
    if (this.#keyLists.state(argument).kind === 'unknown') {
      // Its outcome, a failure too, arrives by onDidChange.
      this.#keyLists.load(argument).catch(() => undefined);
    }
    const state = this.#keyLists.state(argument);
    // Drawn as it is now: that it is slow would be no news.
    this.#slowLists.end(argument);
    const passes = (key: Key) => this.#passes(key);
    return accountChildren({ ref: argument, state, shown: this.#shownOf(argument), passes });
  }

  #shownOf(ref: AccountRef): number {
    return this.#shown.get(accountKey(ref)) ?? pageSize;
  }

  #passes({ id, name }: Key): boolean {
    return this.#filter === '' || [id, name].some((text) => text?.toLowerCase().includes(this.#filter));
  }

  #keysChanged(ref: AccountRef): void {
    if (this.#keyLists.state(ref).kind === 'loading') {
      this.#slowLists.await(ref);
    } else {
      this.#slowLists.end(ref);
      this.#redrawOne(this.#nodes.account(ref));
    }
  }

  #redrawOne(node: ProjectNode | undefined): void {
    if (node !== undefined) this.#changed.fire(node);
  }
}
