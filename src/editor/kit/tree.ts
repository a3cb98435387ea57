import * as vscode from 'vscode';
import { inBatches } from '../../shared/async/inBatches.ts';
import { PendingViewRequests } from '../../shared/async/pendingViewRequests.ts';
import { clicked, type Row, row } from './commands.ts';

/** A row of a view. The commands in its menu get its `argument`. */
export interface Node<Argument extends object = object> extends Row {
  readonly argument: Argument;
  item: vscode.TreeItem;
  /** Builds the rows below it; absent where there never are any. */
  children?: (() => Node[] | Promise<Node[]>) | undefined;
  /** Whether the rows below it have only just started to load: those that are drawn then stay for now. */
  isOnItsWay?: (() => boolean) | undefined;
}

/** What a row shows and does. */
export interface Look<Argument extends object> {
  /** Unique in the view, which keeps its place by it. */
  id: string;
  label: string;
  description?: string | undefined;
  tooltip?: string | undefined;
  icon?: vscode.ThemeIcon;
  /** What menus match as `viewItem`. */
  context?: string | undefined;
  argument: Argument;
  /** What a click runs: by default with the argument of the row, and named by its label. */
  click?: { command: string; title?: string; arguments?: unknown[] } | undefined;
  children?: Node['children'];
  isOnItsWay?: Node['isOnItsWay'];
  /** By default collapsed where there may be children. */
  state?: vscode.TreeItemCollapsibleState;
  /** What a screen reader says; by default the label and the description. */
  spoken?: string;
}

/** Makes a row. */
export function node<Argument extends object>(look: Look<Argument>): Node<Argument> {
  const { id, label, description, argument, click, children, isOnItsWay } = look;
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, look.state ?? (children === undefined ? None : Collapsed));
  item.id = id;
  item.description = description;
  item.tooltip = look.tooltip;
  item.iconPath = look.icon;
  item.contextValue = look.context;
  // Without this, a screen reader reads the tooltip instead of the row's text. Some say "middle dot".
  const spoken = look.spoken ?? joined(', ', label, description);
  item.accessibilityInformation = { label: spoken.replaceAll(' · ', ', ') };
  if (click !== undefined) item.command = { title: label, arguments: clicked(argument), ...click };
  return row({ argument, item, children, isOnItsWay });
}

export function themeIcon(icon: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Joins the words that are non-empty strings. */
export function joined(separator: string, ...words: unknown[]): string {
  return words.filter((word) => typeof word === 'string' && word !== '').join(separator);
}

/** Resolves once the window has handled what was sent to it before: it handles one message after the other. */
export function reachWindow(): Thenable<unknown> {
  return vscode.commands.executeCommand('noop');
}

/** How often a view is asked for a row. */
const mostReveals = 4;

/**
 * Reveals a row. A view that is being drawn anew does not know its rows, so it is asked a few times.
 * @throws what the last attempt has thrown
 */
export async function revealRow(attempt: () => Promise<void>): Promise<void> {
  for (let left = mostReveals; ; left -= 1) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}

/** How often rows that say how long ago something was are looked at while they are seen, in milliseconds. */
const ageMs = 10_000;

/** Looks at the ages in a view as often as in any other: a run and its delivery are of one age. @param ms how often */
export function watchAges(
  view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
  look: () => void,
  ms = ageMs,
): vscode.Disposable {
  const timer = setInterval(() => view.visible && look(), ms);
  timer.unref();
  const shown = view.onDidChangeVisibility(({ visible }) => visible && look());
  return new vscode.Disposable(() => {
    clearInterval(timer);
    shown.dispose();
  });
}

/** What the view has drawn of a folder, which is a row that may have others below it. */
interface Drawn {
  /** What its own row shows. */
  look: string;
  /** The rows below it, once the view has asked for them. */
  below?: { look: string; folders: readonly Node[] };
}

/** The rows of a view. Redraws only the folders whose look has changed, each with the rows below it. */
export abstract class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #root: Node = node({ id: 'root', label: '', argument: {}, children: () => this.roots() });
  /** By id. A folder stays the same object as long as it exists, because the view identifies it by that object. */
  readonly #folders = new Map<string, Node>();
  readonly #parents = new WeakMap<Node, Node>();
  readonly #drawn = new Map<Node, Drawn>([[this.#root, { look: lookOf(this.#root) }]]);
  readonly #requests = new PendingViewRequests(reachWindow);
  readonly #changed = new vscode.EventEmitter<Node[] | undefined>();
  /** Folders to check: something in or below them may have changed. */
  readonly #pending = new Set<Node>();
  #checking: Promise<void> | undefined;
  #disposed = false;
  readonly onDidChangeTreeData = this.#changed.event;

  /** Builds the topmost rows. */
  protected abstract roots(): Node[] | Promise<Node[]>;

  /** A folder that was drawn, by the id of its row; undefined if it never was. */
  folder(id: string): Node | undefined {
    return this.#folders.get(id);
  }

  /** Redraws what has changed. @param id that of a folder, to look only there; nothing happens if it was never drawn */
  redraw(id?: string): void {
    const folder = id === undefined ? this.#root : this.#folders.get(id);
    if (this.#disposed || folder === undefined) return;
    this.#pending.add(folder);
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
  }

  /** Resolves once the view has taken what has changed. */
  async taken(): Promise<void> {
    await this.#checking;
    await this.#requests.taken();
  }

  getTreeItem(of: Node): vscode.TreeItem {
    const drawn = this.#drawn.get(of);
    // This is what the view shows: the row may have been built again since its folder was drawn.
    if (drawn !== undefined) drawn.look = lookOf(of);
    return of.item;
  }

  async getChildren(folder: Node = this.#root): Promise<Node[]> {
    return folder.children === undefined ? [] : this.#requests.give(this.#draw(folder));
  }

  getParent(of: Node): Node | undefined {
    const parent = this.#parents.get(of);
    return parent === this.#root ? undefined : parent;
  }

  dispose(): void {
    this.#disposed = true;
    this.#changed.dispose();
  }

  async #check(): Promise<void> {
    while (this.#pending.size > 0) {
      // Wait, so that a burst of changes is checked only once.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#requests.taken();
      const pending = this.#pending.has(this.#root) ? [this.#root] : [...this.#pending];
      this.#pending.clear();
      // If the rows cannot be built, the root is redrawn: the view then requests them and gets the error.
      const changes = pending.map((folder) => this.#changedIn(folder).catch(() => [this.#root]));
      const folders = (await Promise.all(changes)).flat();
      if (folders.length > 0) await this.#requests.taken();
      if (folders.includes(this.#root)) this.#changed.fire(undefined);
      else if (folders.length > 0) this.#changed.fire(folders);
    }
  }

  /** Builds the rows below a folder for the view, and notes what it draws. */
  async #draw(parent: Node): Promise<Node[]> {
    const nodes = await this.#below(parent);
    const folders = nodes.filter(isFolder);
    for (const one of nodes) this.#parents.set(one, parent);
    // What is below stays drawn where only these rows are asked for.
    for (const one of folders) this.#drawn.set(one, { ...this.#drawn.get(one), look: lookOf(one) });
    const { look = lookOf(parent) } = this.#drawn.get(parent) ?? {};
    this.#drawn.set(parent, { look, below: { look: looksOf(nodes), folders } });
    return nodes;
  }

  /** The topmost folders, from this one down, whose row or whose rows below look different from what was drawn. */
  async #changedIn(folder: Node): Promise<Node[]> {
    const drawn = this.#drawn.get(folder);
    if (drawn === undefined) return [];
    if (drawn.look !== lookOf(folder)) return this.#forget(folder);
    if (drawn.below === undefined || folder.isOnItsWay?.() === true) return [];
    const nodes = await this.#below(folder);
    // The view has requested the rows in the meantime, and may take those of here, which are older.
    if (this.#drawn.get(folder) !== drawn) {
      this.#pending.add(folder);
      return [];
    }
    if (looksOf(nodes) !== drawn.below.look) return this.#forget(folder);
    return (await inBatches(nodes.filter(isFolder), (one) => this.#changedIn(one))).flat();
  }

  /** Forgets what is drawn below a folder: the view is about to request it again. Until then nothing is compared. */
  #forget(folder: Node): [Node] {
    const below = this.#drawn.get(folder)?.below;
    this.#drawn.set(folder, { look: lookOf(folder) });
    for (const one of below?.folders ?? []) this.#forget(one);
    return [folder];
  }

  /** The rows below a folder as they are now. */
  async #below(parent: Node): Promise<Node[]> {
    const fresh = (await parent.children?.()) ?? [];
    return fresh.map((one) => {
      if (!isFolder(one)) return one;
      const known = this.#folders.get(idOf(one));
      if (known !== undefined) return Object.assign(known, one);
      this.#folders.set(idOf(one), one);
      return one;
    });
  }
}

function isFolder({ children }: Node): boolean {
  return children !== undefined;
}

/** Everything visible in a row. */
function lookOf({ item }: Node): string {
  return JSON.stringify(item);
}

/** Everything visible in the rows of a folder, but only the id of each folder among them. */
function looksOf(nodes: readonly Node[]): string {
  return JSON.stringify(nodes.map((one) => (isFolder(one) ? idOf(one) : lookOf(one))));
}

function idOf({ item }: Node): string {
  return item.id ?? '';
}
