import type * as vscode from 'vscode';
import { nodeId } from './nodeId.ts';
import type { ProjectNode } from './projectNode.ts';

/** So many elements are drawn anew one by one; where more have changed, the one that they hang under is. */
const mostByOne = 10;

/** How the elements are made: anew whenever they are asked for. */
export interface NodeSource {
  /** Undefined where what is drawn is to stay for now. */
  children(parent?: ProjectNode): Promise<ProjectNode[] | undefined>;
  item(node: ProjectNode): vscode.TreeItem;
}

interface Children {
  nodes: readonly ProjectNode[];
  /** Whether the view holds them. It drops them when it is told to draw their parent anew. */
  held: boolean;
}

/**
 * What the view was given. Redrawing an element takes all below it out of the editor's hands until it has asked
 * for them again, and a click in between names nothing: so only what looks different is drawn anew. An element is
 * the same object as long as it is there, since that is how the view knows it.
 */
export class DrawnNodes {
  readonly #source: NodeSource;
  readonly #nodes = new Map<string, ProjectNode>();
  readonly #looks = new WeakMap<ProjectNode, string>();
  /** By their parent; undefined stands for the root. */
  readonly #children = new Map<ProjectNode | undefined, Children>();

  constructor(source: NodeSource) {
    this.#source = source;
  }

  /** The element with this id, as it was last drawn. */
  get(id: string): ProjectNode | undefined {
    return this.#nodes.get(id);
  }

  /** Elements on their way to the view: those that it knows are the same objects, brought up to date. */
  give(parent: ProjectNode | undefined, fresh: readonly ProjectNode[]): ProjectNode[] {
    const nodes = this.#same(fresh);
    const kept = new Set(nodes);
    for (const gone of this.#children.get(parent)?.nodes ?? []) if (!kept.has(gone)) this.#forget(gone);
    this.#children.set(parent, { nodes, held: true });
    return nodes;
  }

  /** How an element is to look, on its way to the view. */
  item(node: ProjectNode): vscode.TreeItem {
    const item = this.#source.item(node);
    this.#looks.set(node, lookOf(item));
    return item;
  }

  /** What does not look any more as it was drawn, from an element downwards; undefined stands for the root. */
  async changed(node: ProjectNode | undefined): Promise<(ProjectNode | undefined)[]> {
    if (node !== undefined && this.#looksDifferent(node)) return this.#drop(node);
    const before = this.#children.get(node);
    if (before?.held !== true) return [];
    const fresh = await this.#source.children(node);
    // The view may have asked for them meanwhile.
    if (fresh === undefined || this.#children.get(node) !== before) return [];
    const after = this.#same(fresh);
    const isSame = after.length === before.nodes.length && after.every((one, at) => one === before.nodes[at]);
    if (!isSame) return this.#drop(node);
    const changes = (await Promise.all(after.map((child) => this.changed(child)))).flat();
    return changes.length > mostByOne ? this.#drop(node) : changes;
  }

  #looksDifferent(node: ProjectNode): boolean {
    const look = lookOf(this.#source.item(node));
    const drawn = this.#looks.get(node);
    this.#looks.set(node, look);
    return look !== drawn;
  }

  /** The view is about to drop what is below an element: nothing of that is to be compared any more. */
  #drop(node: ProjectNode | undefined): [ProjectNode | undefined] {
    const children = this.#children.get(node);
    if (children !== undefined) {
      children.held = false;
      for (const child of children.nodes) this.#drop(child);
    }
    return [node];
  }

  #forget(node: ProjectNode): void {
    this.#nodes.delete(nodeId(node));
    for (const child of this.#children.get(node)?.nodes ?? []) this.#forget(child);
    this.#children.delete(node);
  }

  #same(fresh: readonly ProjectNode[]): ProjectNode[] {
    return fresh.map((node) => {
      const id = nodeId(node);
      const known = this.#nodes.get(id);
      if (known !== undefined) return Object.assign(known, node);
      this.#nodes.set(id, node);
      return node;
    });
  }
}

/** All of an element that can be seen. */
function lookOf(item: vscode.TreeItem): string {
  const { label, description, tooltip, contextValue, iconPath, resourceUri, collapsibleState } = item;
  return JSON.stringify([
    ...[label, description, tooltip, contextValue, iconPath, resourceUri, collapsibleState],
    ...[item.accessibilityInformation, item.command?.command],
  ]);
}
