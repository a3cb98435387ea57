import type * as vscode from 'vscode';
import type { Folder, ProjectNode } from './projectNode.ts';

/** The children of a folder, as the view has them. */
interface DrawnChildren {
  look: string;
  folders: readonly Folder[];
}

/**
 * Tracks what the view was given, so that only folders that look different are redrawn, each with its rows. A folder
 * stays the same object as long as it exists, because the view identifies it by that object.
 */
export class DrawnNodes {
  /** By item id. */
  readonly #folders = new Map<string, Folder>();
  readonly #parents = new WeakMap<ProjectNode, Folder>();
  /** The look of the own row of each folder. The root has no row. */
  readonly #lines = new Map<Folder, string>();
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
      this.#lines.set(folder, lineOf(folder));
      this.#children.delete(folder);
    }
    return nodes;
  }

  /** The folders that look different from how they were drawn, from one downwards. */
  async changed(folder: Folder): Promise<Folder[]> {
    const drawn = this.#lines.get(folder);
    if (drawn !== undefined && drawn !== lineOf(folder)) return this.#drop(folder);
    const below = this.#children.get(folder);
    if (below === undefined || folder.isOnItsWay?.() === true) return [];
    const fresh = await folder.children();
    // The view may have requested the children in the meantime.
    if (this.#children.get(folder) !== below) return [];
    const nodes = this.#reuseFolders(fresh);
    if (lookOf(nodes) !== below.look) return this.#drop(folder);
    return (await Promise.all(nodes.filter(isFolder).map((one) => this.changed(one)))).flat();
  }

  /** Forgets what is drawn below a folder: the view is about to request it anew. Until then nothing is compared. */
  #drop(folder: Folder): [Folder] {
    const below = this.#children.get(folder);
    this.#children.delete(folder);
    this.#lines.set(folder, lineOf(folder));
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

/** Everything visible of the rows in a folder, except that a child folder counts by its id only. */
function lookOf(nodes: readonly ProjectNode[]): string {
  return JSON.stringify(nodes.map((node) => (isFolder(node) ? idOf(node) : lineOf(node))));
}

/** Everything visible of a row. */
function lineOf({ item }: ProjectNode): string {
  return JSON.stringify(item);
}

function idOf({ item }: { item: vscode.TreeItem }): string {
  return item.id ?? '';
}
