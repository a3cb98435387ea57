import { readFile, realpath, stat } from 'node:fs/promises';
import type { Workspace } from './failurePlace.ts';

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
