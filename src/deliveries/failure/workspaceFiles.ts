import { readFile, realpath, stat } from 'node:fs/promises';

/** The files that a handler may consist of. */
export interface Workspace {
  /** The absolute paths of its folders, as they are named and with their links resolved. */
  readonly folders: readonly { path: string; real: string }[];
  /** The text of a file; undefined if there is none, or if it is larger than `mostBytes`. */
  read(path: string, mostBytes: number): Promise<string | undefined>;
}

/** The files below these folders. @param paths absolute */
export async function workspaceFiles(paths: readonly string[]): Promise<Workspace> {
  const folders = paths.map(async (path) => ({ path, real: await realpath(path).catch(() => path) }));
  return {
    folders: await Promise.all(folders),
    async read(path, mostBytes) {
      try {
        const found = await stat(path);
        return found.isFile() && found.size <= mostBytes ? await readFile(path, 'utf8') : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
