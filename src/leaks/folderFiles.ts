import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What nobody wrote by hand, where there is no git to say so. */
const leftOut: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn']);

/** Beyond these it is no folder that somebody works in. */
const mostFiles = 500_000;

/**
 * The files below a folder, without those below `node_modules` and what version control keeps. No link is
 * followed; a folder that cannot be read counts as empty.
 * @param others folders below it that are left out
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
    // It may be gone, or not ours to read.
    const entries = await readdir(one, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(one, entry.name);
      // guard: no link is followed
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && !leftOut.has(entry.name) && !others.has(path)) folders.push(path);
    }
  }
  return files;
}
