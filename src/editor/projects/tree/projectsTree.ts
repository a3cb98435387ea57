import * as vscode from 'vscode';
import { PendingViewRequests } from '../../../model/async/pendingViewRequests.ts';
import type { Key } from '../../../model/keys/key.ts';
import type { AccountRef } from '../../../model/projects/project.ts';
import { type Folder, type ProjectNode, accountId, appsId, projectNode } from './projectNode.ts';
import { ProjectNodes, type ProjectSources, loadingAfterMs } from './projectNodes.ts';
import { inBatches } from '../../../model/async/inBatches.ts';

/** How many keys of an account are shown before "Load more…", and how many more each time. */
const pageSize = 200;

/** The Projects view's data: project → service accounts → keys, and project → Apps → app. */
export class ProjectsTree implements vscode.TreeDataProvider<ProjectNode>, vscode.Disposable {
  readonly #sources: ProjectSources;
  readonly #root: Folder;
  readonly #drawn = new DrawnNodes();
  readonly #answers = new PendingViewRequests();
  readonly #changed = new vscode.EventEmitter<ProjectNode[] | undefined>();
  readonly #subscriptions: vscode.Disposable;
  /** The number of keys shown per account, if it is more than a page. */
  readonly #shown = new Map<string, number>();
  /** Folders to check: something in or below them may have changed. */
  readonly #pending = new Set<Folder>();
  #checking: Promise<void> | undefined;
  #disposed = false;
  #filter = '';
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(sources: ProjectSources) {
    this.#sources = sources;
    const { projects, lines, secrets, keyLists, appChildren } = sources;
    const passes = (key: Key) => this.#passes(key);
    const nodes = new ProjectNodes(sources, (ref) => ({ most: this.#shownOf(ref), passes }));
    const root = projectNode('line', {}, new vscode.TreeItem(''), 'root');
    this.#root = { ...root, children: () => nodes.roots() };
    this.#subscriptions = vscode.Disposable.from(
      projects.onDidChange(() => this.redraw()),
      lines.onDidChange(() => this.redraw()),
      secrets.onDidChange(() => this.redraw()),
      keyLists.onDidChange((ref) => (ref === undefined ? this.redraw() : this.#keysChanged(ref))),
      // The Apps folder builds the app's row, which says whether the app can be expanded.
      appChildren.onDidChange((app) => this.#redraw(this.#drawn.get(appsId(app)))),
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

  /** Redraws only the rows whose look has changed. */
  redraw(): void {
    this.#redraw(this.#root);
  }

  showMore(ref: AccountRef): void {
    this.#shown.set(accountId(ref), this.#shownOf(ref) + pageSize);
    this.#redraw(this.accountNode(ref));
  }

  /** The element of an account, to reveal it; undefined if it was never drawn. */
  accountNode(ref: AccountRef): Folder | undefined {
    return this.#drawn.get(accountId(ref));
  }

  getTreeItem(node: ProjectNode): vscode.TreeItem {
    return node.item;
  }

  async getChildren(node: ProjectNode = this.#root): Promise<ProjectNode[]> {
    return 'children' in node ? this.#answers.give(this.#drawn.give(node as Folder)) : [];
  }

  getParent(node: ProjectNode): ProjectNode | undefined {
    const parent = this.#drawn.parent(node);
    return parent === this.#root ? undefined : parent;
  }

  dispose(): void {
    this.#disposed = true;
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  #shownOf(ref: AccountRef): number {
    return this.#shown.get(accountId(ref)) ?? pageSize;
  }

  #passes({ id, name }: Key): boolean {
    return this.#filter === '' || [id, name].some((text) => text?.toLowerCase().includes(this.#filter));
  }

  #keysChanged(ref: AccountRef): void {
    const redraw = () => this.#redraw(this.accountNode(ref));
    // The 20 ms allow for a timer that fires early.
    if (this.#sources.keyLists.state(ref).kind === 'loading') setTimeout(redraw, loadingAfterMs + 20).unref();
    else redraw();
  }

  /** Redraws what has changed, from this folder down. Does nothing if it is undefined, that is, not drawn. */
  #redraw(folder: Folder | undefined): void {
    if (this.#disposed || folder === undefined) return;
    this.#pending.add(folder);
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
  }

  async #check(): Promise<void> {
    while (this.#pending.size > 0) {
      // Wait, so that a burst of changes is checked only once.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#answers.taken();
      const pending = this.#pending.has(this.#root) ? [this.#root] : [...this.#pending];
      this.#pending.clear();
      // If the elements cannot be built, the root is redrawn: the view then requests them and gets the error.
      const changes = pending.map((folder) => this.#drawn.changed(folder).catch(() => [this.#root]));
      const folders = (await Promise.all(changes)).flat();
      if (folders.length > 0) await this.#answers.taken();
      if (folders.includes(this.#root)) this.#changed.fire(undefined);
      else if (folders.length > 0) this.#changed.fire(folders);
    }
  }
}

/** The children of a folder, as last given to the view. */
interface DrawnChildren {
  look: string;
  folders: readonly Folder[];
}

/**
 * Tracks the rows given to the view, so that only folders whose look has changed are redrawn, each with its rows.
 * A folder stays the same object as long as it exists, because the view identifies it by that object.
 */
class DrawnNodes {
  /** By item id. */
  readonly #folders = new Map<string, Folder>();
  readonly #parents = new WeakMap<ProjectNode, Folder>();
  /** The look of each folder's own row. The root has no row. */
  readonly #rowLooks = new Map<Folder, string>();
  /** The children of each folder that the view has expanded. */
  readonly #children = new Map<Folder, DrawnChildren>();

  /** The folder with this id, as it was last drawn. */
  get(id: string): Folder | undefined {
    return this.#folders.get(id);
  }

  parent(node: ProjectNode): Folder | undefined {
    return this.#parents.get(node);
  }

  /** Builds the children of a folder for the view, and records them as drawn. */
  async give(parent: Folder): Promise<ProjectNode[]> {
    const nodes = this.#reuseFolders(await parent.children());
    const folders = nodes.filter(isFolder);
    this.#children.set(parent, { look: lookOf(nodes), folders });
    for (const node of nodes) this.#parents.set(node, parent);
    for (const folder of folders) {
      this.#rowLooks.set(folder, rowLookOf(folder));
      this.#children.delete(folder);
    }
    return nodes;
  }

  /** The topmost folders, from this one down, whose row or children look different from when they were drawn. */
  async changed(folder: Folder): Promise<Folder[]> {
    const drawn = this.#rowLooks.get(folder);
    if (drawn !== undefined && drawn !== rowLookOf(folder)) return this.#drop(folder);
    const below = this.#children.get(folder);
    if (below === undefined || folder.isOnItsWay?.() === true) return [];
    const fresh = await folder.children();
    // The view may have requested the children in the meantime.
    if (this.#children.get(folder) !== below) return [];
    const nodes = this.#reuseFolders(fresh);
    if (lookOf(nodes) !== below.look) return this.#drop(folder);
    return (await inBatches(nodes.filter(isFolder), (one) => this.changed(one))).flat();
  }

  /** Drops the records below a folder: the view is about to request it again. Until then nothing is compared. */
  #drop(folder: Folder): [Folder] {
    const below = this.#children.get(folder);
    this.#children.delete(folder);
    this.#rowLooks.set(folder, rowLookOf(folder));
    for (const one of below?.folders ?? []) this.#drop(one);
    return [folder];
  }

  #reuseFolders(fresh: readonly ProjectNode[]): ProjectNode[] {
    return fresh.map((node) => {
      if (!isFolder(node)) return node;
      const id = idOf(node);
      const known = this.#folders.get(id);
      if (known !== undefined) return Object.assign(known, node);
      this.#folders.set(id, node);
      return node;
    });
  }
}

function isFolder(node: ProjectNode): node is Folder {
  return 'children' in node;
}

/** Everything visible in the rows of a folder, but only the id of each child folder. */
function lookOf(nodes: readonly ProjectNode[]): string {
  return JSON.stringify(nodes.map((node) => (isFolder(node) ? idOf(node) : rowLookOf(node))));
}

/** Everything visible in a row. */
function rowLookOf({ item }: ProjectNode): string {
  return JSON.stringify(item);
}

function idOf({ item }: { item: vscode.TreeItem }): string {
  return item.id ?? '';
}
