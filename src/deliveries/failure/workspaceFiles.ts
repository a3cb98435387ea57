import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files that a handler may consist of. */
export interface Workspace {
  /** The absolute paths of its folders, as they are named and with their links resolved. */
  readonly folders: readonly { path: string; real: string }[];
  /** The text of a file; undefined if there is none, if it is outside of the folders or larger than `mostBytes`. */
  read(path: string, mostBytes: number): Promise<string | undefined>;
}

/** The files below these folders. @param paths absolute */
export async function workspaceFiles(paths: readonly string[]): Promise<Workspace> {
  const folders = await Promise.all(
    paths.map(async (path) => ({ path, real: await realpath(path).catch(() => path) })),
  );
  return {
    folders,
    async read(path, mostBytes) {
      // guard S166: Nothing outside of the workspace is read, not even looked for: it may be on another machine.
      if (withinFolders(path, folders) === undefined) return undefined;
      try {
        const found = await stat(path);
        return found.isFile() && found.size <= mostBytes ? await readFile(path, 'utf8') : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** The folder that a path is in, and the way from there; undefined if it is in none. */
export function withinFolders(
  path: string,
  folders: Workspace['folders'],
): { folder: string; inside: string } | undefined {
  for (const folder of folders) {
    for (const root of new Set([folder.path, folder.real])) {
      const inside = relative(root, path);
      const isOutside = isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`);
      if (inside !== '' && !isOutside) return { folder: folder.path, inside };
    }
  }
  return undefined;
}

/** The path of a `file:` address, without its query; undefined if it is none of this machine. */
export function pathOfUrl(address: string): string | undefined {
  const url = URL.parse(address);
  if (url?.protocol !== 'file:' || url.host !== '') return undefined;
  try {
    return fileURLToPath(url);
  } catch {
    return undefined; // No path has an encoded slash.
  }
}
