import { type Dir, opendirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { isFixture } from '../fixture/fixture.ts';

/** How deep folders are searched, and how many directory entries and fixtures are allowed in all. */
export const searchLimits = { depth: 20, entries: 200_000, fixtures: 10_000 } as const;

/** Folders that are not searched: they hold no fixtures of the user's own. */
const skipped = new Set(['node_modules', '.git']);

export interface FoundFixtures {
  /** Sorted by path, which is the order in which they run. */
  files: string[];
  /** Links that lead out of the folder, folders that are too deep, and entries that cannot be read. */
  leftOut: string[];
}

/**
 * The fixtures that a path names: the file itself, whatever its name, or the fixtures in a folder and its subfolders.
 * @throws UserError if a limit is exceeded; errors of the file system
 */
export function findFixtures(
  path: string,
  limits: typeof searchLimits | Limits = searchLimits,
): FoundFixtures {
  const found: FoundFixtures = { files: [], leftOut: [] };
  if (!statSync(path).isDirectory()) return { ...found, files: [path] };
  const search = new FolderSearch(realpathSync(path), limits, found);
  search.visit(opendirSync(path), 0);
  found.files.sort((one, other) => (one < other ? -1 : 1));
  return found;
}

type Limits = Record<keyof typeof searchLimits, number>;

class FolderSearch {
  /** What the paths within the folder begin with. */
  readonly #inside: string;
  readonly #limits: Limits;
  readonly #found: FoundFixtures;
  #entries = 0;

  constructor(root: string, limits: Limits, found: FoundFixtures) {
    this.#inside = root.endsWith(sep) ? root : `${root}${sep}`;
    this.#limits = limits;
    this.#found = found;
  }

  visit(folder: Dir, depth: number): void {
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        this.#count();
        const path = join(folder.path, entry.name);
        if (entry.isDirectory() && !skipped.has(entry.name)) this.#enter(path, depth + 1);
        else if (isFixture(path) && this.#isWithin(path)) this.#take(path);
      }
    } finally {
      folder.closeSync();
    }
  }

  #enter(path: string, depth: number): void {
    const folder = depth > this.#limits.depth ? undefined : opened(path);
    if (folder === undefined) this.#found.leftOut.push(path);
    else this.visit(folder, depth);
  }

  #count(): void {
    this.#entries += 1;
    if (this.#entries > this.#limits.entries) {
      throw new UserError(
        t('There are more than {0} files here. Name a smaller folder.', this.#limits.entries),
      );
    }
  }

  #take(path: string): void {
    this.#found.files.push(path);
    if (this.#found.files.length > this.#limits.fixtures) {
      throw new UserError(
        t('There are more than {0} fixtures here. Name a smaller folder.', this.#limits.fixtures),
      );
    }
  }

  /** Whether a path is a file within the folder. Links to folders are never followed. */
  #isWithin(path: string): boolean {
    // guard S67: A link that leads out of the folder is left out and named.
    const target = real(path);
    if (target?.startsWith(this.#inside) === true && statSync(target).isFile()) return true;
    this.#found.leftOut.push(path);
    return false;
  }
}

function opened(path: string): Dir | undefined {
  try {
    return opendirSync(path);
  } catch {
    return undefined; // Not permitted, or no longer there.
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // A broken link, or not permitted.
  }
}
