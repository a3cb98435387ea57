import type * as vscode from 'vscode';
import { inBatches } from '../../../model/async/inBatches.ts';
import type { Folder, ProjectNode } from './projectNode.ts';

/** The children of a folder, as last given to the view. */
interface DrawnChildren {
  look: string;
  folders: readonly Folder[];
}

/**
 * Tracks the rows given to the view, so that only folders whose look has changed are redrawn, each with its rows.
 * A folder stays the same object as long as it exists, because the view identifies it by that object.
 */
export class DrawnNodes {
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
