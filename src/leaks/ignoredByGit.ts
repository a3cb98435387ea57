import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { askGit } from './gitProgram.ts';

/** What git makes of a file; `unknown` where it cannot be asked. */
export type GitView = 'ignored' | 'seen' | 'noRepository' | 'unknown';

/**
 * Whether git ignores a file, be it there or not. One that it tracks it does not ignore, whatever `.gitignore` says.
 * @param program the path of git; undefined where there is none
 * @param file its path, in a folder that is there and with no link in it
 */
export async function ignoredByGit(program: string | undefined, file: string): Promise<GitView> {
  const folder = dirname(file);
  if (!(await isInRepository(folder))) return 'noRepository';
  if (program === undefined) return 'unknown';
  try {
    await askGit(program, ['check-ignore', '--quiet', '--', file], { folder, isOfPaths: true });
    return 'ignored';
  } catch (error) {
    // 1 where it is not ignored; 128 where git cannot tell.
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
