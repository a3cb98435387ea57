import { isAbsolute, relative, sep } from 'node:path';
import { folderFiles } from './folderFiles.ts';
import { gitFiles } from './gitFiles.ts';
import type { SearchedFile } from './leakSearch.ts';

/** The files to search. */
export interface WorkspaceFiles {
  files: SearchedFile[];
  /** Whether git listed all of them, so that no ignored file is included. */
  isByGit: boolean;
}

export interface WorkspaceFilesOptions {
  /** The path of git, and the folders of known repositories; undefined if there is no git. */
  git: { program: string; repositories: readonly string[] } | undefined;
  signal: AbortSignal;
  log: { info(message: string): void };
}

/**
 * Lists the files in all workspace folders that git does not ignore. Without git, and outside of repositories, lists
 * all files except those below `node_modules`.
 * @param folders their paths
 */
export async function workspaceFiles(
  folders: readonly string[],
  { git, signal, log }: WorkspaceFilesOptions,
): Promise<WorkspaceFiles> {
  const files = new Map<string, SearchedFile>();
  let isByGit = true;
  const list = async (folder: string): Promise<string[] | undefined> => {
    try {
      return git && (await gitFiles(git.program, folder, signal));
    } catch (error) {
      if (!signal.aborted) log.info(`Git does not list the files of ${folder}: ${String(error)}`);
      return undefined;
    }
  };
  for (const folder of folders) {
    const add = (path: string) => files.set(path, { path, folder });
    const listed = await list(folder);
    listed?.forEach(add);
    if (listed !== undefined || signal.aborted) continue;
    isByGit = false;
    const byGit = new Set<string>();
    for (const root of git?.repositories.filter((one) => isBelow(one, folder)) ?? []) {
      const inRepository = await list(root);
      inRepository?.forEach(add);
      if (inRepository !== undefined) byGit.add(root);
    }
    for (const path of await folderFiles(folder, byGit, signal)) add(path);
  }
  return { files: [...files.values()], isByGit };
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}
