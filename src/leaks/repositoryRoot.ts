import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * The nearest folder, from this one up, that has a `.git`: the root of its repository. Git itself takes any folder for a
 * repository that holds what a bare one does, and a clone can bring such a folder, with settings of its own.
 * @param folder a real path
 */
export async function repositoryRoot(folder: string): Promise<string | undefined> {
  const isHere = await lstat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  if (isHere) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryRoot(above);
}
