import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders with nothing written by hand. Left out because there is no git to ignore them. */
const skippedDirs: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn']);

/** The most files that are listed. A folder with more is not one that somebody works in. */
const mostFiles = 500_000;

/**
 * Lists the files below a folder, except in `node_modules` and in the folders of version control. Links are not
 * followed; a folder that cannot be read counts as empty.
 * @param others folders below it to leave out
 */
export async function folderFiles(
  folder: string,
  others: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<string[]> {
  const files: string[] = [];
  const folders = [folder];
  for (const one of folders) {
    if (signal.aborted || files.length >= mostFiles) break;
    // The folder may be gone, or not readable.
    const entries = await readdir(one, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(one, entry.name);
      // guard: no link is followed
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && !skippedDirs.has(entry.name) && !others.has(path)) folders.push(path);
    }
  }
  return files;
}
