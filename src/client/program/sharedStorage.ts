import { basename, dirname, join } from 'node:path';

/**
 * The storage folder that all windows of a workspace share. VS Code locks it for the first of them, and gives each
 * further one a folder of its own: that of the first with `-1`, `-2` … behind the workspace's part of the path.
 * @param storage that of this window
 */
export function sharedStorage(storage: string, exists: (path: string) => boolean): string {
  const workspace = dirname(storage);
  const [, first] = /^(.*[^-])-[1-9]$/.exec(basename(workspace)) ?? [];
  if (first === undefined) return storage;
  const shared = join(dirname(workspace), first);
  return exists(shared) ? join(shared, basename(storage)) : storage;
}
