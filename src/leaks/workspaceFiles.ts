import { isAbsolute, relative, sep } from 'node:path';
import { gitFiles, NoRepositoryError } from './git.ts';
import type { SearchedFile } from './leakSearch.ts';

/** The files to search. */
interface WorkspaceFiles {
  files: SearchedFile[];
  /** The folders whose files git does not list: those in no repository, and repositories that are not open. */
  leftOut: string[];
  /** Those of them that are in no repository. */
  outside: string[];
}

interface WorkspaceFilesOptions {
  /** The path of git. */
  program: string;
  /** The folders of the repositories that are open. */
  repositories: readonly string[];
  signal: AbortSignal;
  log: { info(message: string): void };
}

/**
 * Lists the files that git does not ignore, in all workspace folders and in the open repositories within them.
 * @param folders their paths
 */
export async function workspaceFiles(
  folders: readonly string[],
  { program, repositories, signal, log }: WorkspaceFilesOptions,
): Promise<WorkspaceFiles> {
  const files = new Map<string, SearchedFile>();
  const listed = new Set<string>();
  const found = new Set<string>();
  const outside: string[] = [];
  for (const folder of folders) {
    for (const root of [folder, ...repositories.filter((one) => isBelow(one, folder))]) {
      found.add(root);
      try {
        const inRoot = await gitFiles(program, root, signal);
        for (const path of inRoot.files) files.set(path, { path, folder });
        for (const nested of inRoot.repositories) found.add(nested);
        listed.add(root);
      } catch (error) {
        if (signal.aborted) return { files: [], leftOut: [], outside: [] };
        if (error instanceof NoRepositoryError) outside.push(root);
        log.info(`Git does not list the files of ${root}: ${String(error)}`);
      }
    }
  }
  const leftOut = [...found].filter((one) => !listed.has(one));
  return { files: [...files.values()], leftOut, outside };
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}
