import { basename, dirname, join } from 'node:path';

/**
 * The storage folder that all windows of a workspace share. VS Code locks it for the first window, and gives each
 * further window a folder of its own: the first one's path with `-1`, `-2` … after the workspace's part.
 * @param storage the storage folder of this window
 */
export function sharedStorage(storage: string, exists: (path: string) => boolean): string {
  const workspace = dirname(storage);
  const [, first] = /^(.*[^-])-[1-9]$/.exec(basename(workspace)) ?? [];
  if (first === undefined) return storage;
  const shared = join(dirname(workspace), first);
  return exists(shared) ? join(shared, basename(storage)) : storage;
}
