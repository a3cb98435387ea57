import type * as vscode from 'vscode';
import { nodeId } from './nodeId.ts';
import type { ProjectNode } from './projectNode.ts';

/** How the elements are made: anew whenever they are asked for. */
export interface NodeSource {
  /** Undefined where what is drawn is to stay for now. */
  children(parent?: ProjectNode): Promise<ProjectNode[] | undefined>;
  item(node: ProjectNode): vscode.TreeItem;
}

/** An element as the view has it. */
interface Drawn {
  line: string;
  /** What hangs under it; absent where the view has not asked for it. */
  below?: { look: string; folders: readonly ProjectNode[] };
}

/**
 * What the view was given, so that only what looks different is drawn anew: a folder (a project, a service account, its
 * apps, an app) with the lines in it. A folder is the same object as long as it is there, since that is how the view
 * knows it.
 */
export class DrawnNodes {
  readonly #source: NodeSource;
  readonly #folders = new Map<string, ProjectNode>();
  readonly #items = new WeakMap<ProjectNode, vscode.TreeItem>();
  /** By the id of the folder; undefined stands for the root. */
  readonly #drawn = new Map<string | undefined, Drawn>();

  constructor(source: NodeSource) {
    this.#source = source;
  }

  /** The folder with this id, as it was last drawn. */
  get(id: string): ProjectNode | undefined {
    return this.#folders.get(id);
  }

  /** Elements on their way to the view. */
  give(parent: ProjectNode | undefined, fresh: readonly ProjectNode[]): ProjectNode[] {
    const nodes = this.#same(fresh);
    const folders = nodes.filter(isFolder);
    const line = this.#drawn.get(idOf(parent))?.line ?? this.#line(parent);
    this.#drawn.set(idOf(parent), { line, below: { look: this.#look(nodes), folders } });
    for (const folder of folders) this.#drawn.set(idOf(folder), { line: this.#line(folder) });
    return nodes;
  }

  item(node: ProjectNode): vscode.TreeItem {
    return this.#items.get(node) ?? this.#source.item(node);
  }

  /** The folders that do not look any more as they were drawn, from one downwards; undefined stands for the root. */
  async changed(node: ProjectNode | undefined): Promise<(ProjectNode | undefined)[]> {
    const drawn = this.#drawn.get(idOf(node));
    if (drawn === undefined) return [];
    if (this.#line(node) !== drawn.line) return this.#drop(node);
    if (drawn.below === undefined) return [];
    const fresh = await this.#source.children(node);
    // The view may have asked for them meanwhile.
    if (fresh === undefined || this.#drawn.get(idOf(node)) !== drawn) return [];
    const nodes = this.#same(fresh);
    if (this.#look(nodes) !== drawn.below.look) return this.#drop(node);
    return (await Promise.all(nodes.filter(isFolder).map((folder) => this.changed(folder)))).flat();
  }

  /** The view is about to ask anew for what is below a folder: until then nothing of that is compared. */
  #drop(node: ProjectNode | undefined): [ProjectNode | undefined] {
    const { below } = this.#drawn.get(idOf(node)) ?? {};
    this.#drawn.set(idOf(node), { line: this.#line(node) });
    for (const folder of below?.folders ?? []) this.#drop(folder);
    return [node];
  }

  #same(fresh: readonly ProjectNode[]): ProjectNode[] {
    return fresh.map((node) => {
      if (!isFolder(node)) return node;
      const known = this.#folders.get(nodeId(node));
      if (known !== undefined) return Object.assign(known, node);
      this.#folders.set(nodeId(node), node);
      return node;
    });
  }

  /** All that can be seen of the lines in a folder, and which folders there are. */
  #look(nodes: readonly ProjectNode[]): string {
    return JSON.stringify(nodes.map((node) => (isFolder(node) ? nodeId(node) : this.#line(node))));
  }

  /** All that can be seen of an element. */
  #line(node: ProjectNode | undefined): string {
    if (node === undefined) return '';
    const item = this.#source.item(node);
    this.#items.set(node, item);
    const { label, description, tooltip, contextValue, iconPath, resourceUri, collapsibleState } = item;
    return JSON.stringify([
      ...[item.id, label, description, tooltip, contextValue, iconPath, resourceUri, collapsibleState],
      ...[item.accessibilityInformation, item.command?.command],
    ]);
  }
}

function isFolder({ kind }: ProjectNode): boolean {
  return kind === 'project' || kind === 'account' || kind === 'apps' || kind === 'app';
}

function idOf(node: ProjectNode | undefined): string | undefined {
  return node && nodeId(node);
}
