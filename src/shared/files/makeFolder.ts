import * as fs from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it that are missing. It takes at most as many calls as the path has parts: Node's
 * own `recursive` never returns if the system says ENOENT for a folder whose parent is there, as a mount does whose
 * source was removed.
 * @param path an absolute path
 * @throws Error of the system
 */
export function makeFolder(path: string, mode = 0o777): void {
  // guard S38: Folders are created one by one, so that a removed parent is noticed.
  try {
    fs.mkdirSync(path, { mode });
  } catch (error) {
    if (isFolder(path)) return;
    const parent = parentToMake(path, error);
    makeFolder(parent, mode);
    makeLast(path, mode);
  }
}

/** The same as {@link makeFolder}, without blocking the thread. */
export async function makeFolderAsync(path: string): Promise<void> {
  const isThere = (): Promise<boolean> =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
  try {
    await mkdir(path);
  } catch (error) {
    if (await isThere()) return;
    await makeFolderAsync(parentToMake(path, error));
    await mkdir(path).catch(async (again: unknown) => {
      if (!(await isThere())) throw again;
    });
  }
}

/** Another program may have made it meanwhile. */
function makeLast(path: string, mode: number): void {
  try {
    fs.mkdirSync(path, { mode });
  } catch (error) {
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return fs.statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** @throws `error` if a missing parent is not the cause */
function parentToMake(path: string, error: unknown): string {
  const parent = dirname(path);
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  if (!isMissing || parent === path) throw error;
  return parent;
}
