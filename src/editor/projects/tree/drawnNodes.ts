import type * as vscode from 'vscode';
import type { Folder, ProjectNode } from './projectNode.ts';

/** What hangs under a folder, as the view has it. */
interface Below {
  look: string;
  folders: readonly Folder[];
}

/**
 * What the view was given, so that only what looks different is drawn anew: a folder with the lines in it. A folder is
 * the same object as long as it is there, since that is how the view knows it.
 */
export class DrawnNodes {
  /** By their ids. */
  readonly #folders = new Map<string, Folder>();
  readonly #parents = new WeakMap<ProjectNode, Folder>();
  /** How each folder looks in its own line; the root has none. */
  readonly #lines = new Map<Folder, string>();
  /** Of the folders that the view has unfolded. */
  readonly #below = new Map<Folder, Below>();

  /** The folder with this id, as it was last drawn. */
  get(id: string): Folder | undefined {
    return this.#folders.get(id);
  }

  parent(node: ProjectNode): Folder | undefined {
    return this.#parents.get(node);
  }

  /** The elements under a folder, on their way to the view. */
  async give(parent: Folder): Promise<ProjectNode[]> {
    const nodes = this.#same(await parent.children());
    const folders = nodes.filter(isFolder);
    this.#below.set(parent, { look: lookOf(nodes), folders });
    for (const node of nodes) this.#parents.set(node, parent);
    for (const folder of folders) {
      this.#lines.set(folder, lineOf(folder));
      this.#below.delete(folder);
    }
    return nodes;
  }

  /** The folders that do not look any more as they were drawn, from one downwards. */
  async changed(folder: Folder): Promise<Folder[]> {
    const drawn = this.#lines.get(folder);
    if (drawn !== undefined && drawn !== lineOf(folder)) return this.#drop(folder);
    const below = this.#below.get(folder);
    if (below === undefined || folder.isOnItsWay?.() === true) return [];
    const fresh = await folder.children();
    // The view may have asked for them meanwhile.
    if (this.#below.get(folder) !== below) return [];
    const nodes = this.#same(fresh);
    if (lookOf(nodes) !== below.look) return this.#drop(folder);
    return (await Promise.all(nodes.filter(isFolder).map((one) => this.changed(one)))).flat();
  }

  /** The view is about to ask anew for what is below a folder: until then nothing of that is compared. */
  #drop(folder: Folder): [Folder] {
    const below = this.#below.get(folder);
    this.#below.delete(folder);
    this.#lines.set(folder, lineOf(folder));
    for (const one of below?.folders ?? []) this.#drop(one);
    return [folder];
  }

  #same(fresh: readonly ProjectNode[]): ProjectNode[] {
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

/** All that can be seen of the lines in a folder, and which folders there are. */
function lookOf(nodes: readonly ProjectNode[]): string {
  return JSON.stringify(nodes.map((node) => (isFolder(node) ? idOf(node) : lineOf(node))));
}

/** All that can be seen of an element. */
function lineOf({ item }: ProjectNode): string {
  return JSON.stringify(item);
}

function idOf({ item }: { item: vscode.TreeItem }): string {
  return item.id ?? '';
}
