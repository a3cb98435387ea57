import * as vscode from 'vscode';
import type { Key } from '../../model/keys.ts';
import { type App, appName, type Project } from '../../model/project.ts';
import type { AppChildren, AppRef } from './appChildren.ts';
import { accountChildren, pageSize } from './accountChildren.ts';
import type { AccountRef, KeyLists } from './keyLists.ts';
import { nodeId, type ProjectItems } from './projectItems.ts';
import type { NodeOf, ProjectNode } from './projectNode.ts';
import type { Projects } from './projects.ts';
import type { Tokens } from './tokens.ts';

/** The Projects view's data: project → service accounts → keys, and project → Apps → app. */
export class ProjectsTree implements vscode.TreeDataProvider<ProjectNode>, vscode.Disposable {
  readonly #projects: Projects;
  readonly #tokens: Tokens;
  readonly #keyLists: KeyLists;
  readonly #items: ProjectItems;
  readonly #appChildren: AppChildren;
  readonly #changed = new vscode.EventEmitter<ProjectNode | undefined>();
  readonly #subscriptions: vscode.Disposable;
  /** The element of each account that is in the view, so that one can be drawn again without the rest. */
  readonly #accounts = new Map<string, NodeOf<'account'>>();
  readonly #apps = new Map<string, NodeOf<'app'>>();
  readonly #shown = new Map<string, number>();
  #filter = '';
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    projects: Projects,
    tokens: Tokens,
    keyLists: KeyLists,
    items: ProjectItems,
    appChildren: AppChildren,
  ) {
    this.#projects = projects;
    this.#tokens = tokens;
    this.#keyLists = keyLists;
    this.#items = items;
    this.#appChildren = appChildren;
    this.#subscriptions = vscode.Disposable.from(
      projects.onDidChange(() => this.redraw()),
      keyLists.onDidChange((ref) => this.#redrawAccount(ref)),
      appChildren.onDidChange((app) => this.#redrawApp(app)),
    );
  }

  get filter(): string {
    return this.#filter;
  }

  /** Shows only keys, accounts and apps that contain the text; the empty text shows all. */
  set filter(text: string) {
    this.#filter = text.trim().toLowerCase();
    this.#shown.clear();
    this.redraw();
  }

  redraw(): void {
    this.#changed.fire(undefined);
  }

  showMore(ref: AccountRef): void {
    const key = accountKey(ref);
    this.#shown.set(key, (this.#shown.get(key) ?? pageSize) + pageSize);
    this.#redrawAccount(ref);
  }

  /** The element of an account, to reveal it; undefined where it was never drawn. */
  accountNode(ref: AccountRef): NodeOf<'account'> | undefined {
    return this.#accounts.get(accountKey(ref));
  }

  getTreeItem(node: ProjectNode): vscode.TreeItem {
    return this.#items.of(node);
  }

  async getChildren(node?: ProjectNode): Promise<ProjectNode[]> {
    switch (node?.kind) {
      case undefined:
        return this.#projects.all().map((project) => this.#projectNode(project));
      case 'project':
        return this.#ofProject(node.project);
      case 'account':
        return this.#ofAccount(node);
      case 'apps':
        return node.project.apps.map((app) => this.#appNode(node.project.id, app));
      case 'app':
        return this.#appChildren
          .of(node.argument)
          .map((child) => ({ kind: 'appChild', child, parent: node, argument: child.argument }));
      default:
        return [];
    }
  }

  getParent(node: ProjectNode): ProjectNode | undefined {
    switch (node.kind) {
      case 'project':
        return undefined;
      case 'account':
      case 'apps':
        return this.#projectNode(this.#projects.get(node.argument.projectId));
      case 'app':
        return this.#appsNode(this.#projects.get(node.argument.projectId));
      case 'appChild':
        return node.parent;
      case 'key':
      case 'more':
        return this.accountNode(node.argument);
      case 'message':
        return 'serviceAccountId' in node.argument
          ? this.accountNode(node.argument)
          : this.#projectNode(this.#projects.get(node.argument.projectId));
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  #projectNode(project: Project): ProjectNode {
    const mountedLabel = this.#projects.mountedLabel(project.id);
    return { kind: 'project', project, mountedLabel, argument: { projectId: project.id } };
  }

  #appsNode(project: Project): NodeOf<'apps'> {
    const mounted = this.#isMounted(project.id);
    return { kind: 'apps', project, mounted, argument: { projectId: project.id } };
  }

  #isMounted(projectId: string): boolean {
    return this.#projects.mountedLabel(projectId) !== undefined;
  }

  async #ofProject(project: Project): Promise<ProjectNode[]> {
    const { id: projectId } = project;
    const mounted = this.#isMounted(projectId);
    const active = this.#projects.activeAccount(projectId);
    const accounts = await Promise.all(
      project.serviceAccounts.map(async (account): Promise<NodeOf<'account'>> => {
        const argument = { projectId, serviceAccountId: account.id };
        const token = await this.#tokens.state(this.#projects.tokenOwner(projectId, account.id));
        return { kind: 'account', account, token, active: account.id === active?.id, mounted, argument };
      }),
    );
    for (const account of accounts) this.#accounts.set(accountKey(account.argument), account);
    const argument = { projectId };
    return [
      ...accounts,
      ...(accounts.length === 0
        ? [{ kind: 'message' as const, message: { kind: 'addAccount' as const }, argument }]
        : []),
      this.#appsNode(project),
    ];
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
    return accountChildren({
      ref: argument,
      state: this.#keyLists.state(argument),
      shown: this.#shown.get(accountKey(argument)) ?? pageSize,
      passes: (key) => this.#passes(key),
    });
  }

  #appNode(projectId: string, app: App): NodeOf<'app'> {
    const argument = { projectId, appId: app.id, appName: appName(app) };
    const expandable = this.#appChildren.of(argument).length > 0;
    const note = this.#projects.appNote(projectId, app.id);
    const node: NodeOf<'app'> = { kind: 'app', app, note, expandable, argument };
    this.#apps.set(appKey(argument), node);
    return node;
  }

  /** The element stays the same object, by which the view knows it. */
  #redrawApp(app: AppRef): void {
    const node = this.#apps.get(appKey(app));
    if (node === undefined) return;
    node.expandable = this.#appChildren.of(app).length > 0;
    this.#changed.fire(node);
  }

  #passes({ id, name }: Key): boolean {
    return this.#filter === '' || [id, name].some((text) => text?.toLowerCase().includes(this.#filter));
  }

  #redrawAccount(ref: AccountRef): void {
    const node = this.#accounts.get(accountKey(ref));
    if (node !== undefined) this.#changed.fire(node);
  }
}

function accountKey(ref: AccountRef): string {
  return nodeId(['account', ref.projectId, ref.serviceAccountId]);
}

function appKey({ projectId, appName: name }: AppRef): string {
  return nodeId(['app', projectId, name]);
}
