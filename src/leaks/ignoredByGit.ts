import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { askGit } from './gitProgram.ts';

/** How git treats a file; `unknown` if git cannot be asked. */
export type GitView = 'ignored' | 'seen' | 'noRepository' | 'unknown';

/**
 * Whether git ignores a file, which need not exist. A tracked file is never ignored, whatever `.gitignore` says.
 * @param program the path of git; undefined if there is none
 * @param file its path; its folder must exist, and the folder's path must not contain a link
 */
export async function ignoredByGit(program: string | undefined, file: string): Promise<GitView> {
  const folder = dirname(file);
  if (!(await isInRepository(folder))) return 'noRepository';
  if (program === undefined) return 'unknown';
  try {
    await askGit(program, ['check-ignore', '--quiet', '--', file], { folder, isOfPaths: true });
    return 'ignored';
  } catch (error) {
    // 1 if the file is not ignored; 128 if git cannot tell.
    return (error as { code?: unknown }).code === 1 ? 'seen' : 'unknown';
  }
}

async function isInRepository(folder: string): Promise<boolean> {
  const isHere = await lstat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  const above = dirname(folder);
  return isHere || (above !== folder && isInRepository(above));
}
