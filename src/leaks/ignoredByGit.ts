import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { askGit } from './gitProgram.ts';
import { repositoryRoot } from './repositoryRoot.ts';

/** How git treats a file; `unknown` if git cannot be asked. */
export type GitView = 'ignored' | 'seen' | 'noRepository' | 'unknown';

/**
 * Whether git ignores a file, which need not exist. A tracked file is never ignored, whatever `.gitignore` says.
 * @param program the path of git; undefined if there is none
 * @param path of the file; its folder may be reached through links
 */
export async function ignoredByGit(program: string | undefined, path: string): Promise<GitView> {
  const folder = await realpath(dirname(path)).catch(() => undefined);
  if (folder === undefined) return 'unknown';
  const root = await repositoryRoot(folder);
  if (root === undefined) return 'noRepository';
  if (program === undefined) return 'unknown';
  try {
    await askGit(program, ['check-ignore', '--quiet', '--', join(folder, basename(path))], {
      // guard S61: git is asked in the repository with a `.git`, never in a bare one.
      folder: root,
      isOfPaths: true,
    });
    return 'ignored';
  } catch (error) {
    // 1 if the file is not ignored; 128 if git cannot tell.
    return (error as { code?: unknown }).code === 1 ? 'seen' : 'unknown';
  }
}
