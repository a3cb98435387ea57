import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { askGit } from './gitProgram.ts';
import { repositoryRoot } from './repositoryRoot.ts';

/** The modes of a submodule and of a symbolic link in git's index. */
const [submodule, link] = ['160000', '120000'];

/** What git lists below a folder. Paths are absolute. */
export interface GitFiles {
  /** A tracked file may be gone. */
  files: string[];
  /** The repositories within this one: git does not list their files. */
  repositories: string[];
}

/**
 * Lists the files below a folder that git does not ignore: tracked ones, and untracked ones.
 * @param program the path of git
 * @throws if the folder is not in a repository, or git cannot tell
 */
export async function gitFiles(program: string, folder: string, signal: AbortSignal): Promise<GitFiles> {
  const real = await realpath(folder);
  const root = await repositoryRoot(real);
  if (root === undefined) throw new Error(`not a git repository, nor in one: ${folder}`);
  const within = relative(root, real).replaceAll(sep, '/');
  const ask = async (...args: string[]) => {
    const below = within === '' ? [] : ['--', within];
    const printed = await askGit(program, ['ls-files', '-z', ...args, ...below], { folder: root, signal });
    return printed.toString().split('\0').slice(0, -1);
  };
  const pathOf = (path: string) => join(folder, relative(within, path));
  const [tracked, others] = await Promise.all([
    ask('--cached', '--stage'),
    ask('--others', '--exclude-standard'),
  ]);
  const files = new Set<string>();
  const repositories: string[] = [];
  for (const entry of tracked) {
    // 100644 <object> <stage> TAB <path>
    const mode = entry.slice(0, submodule.length);
    const path = entry.slice(entry.indexOf('\t') + 1);
    if (!isBelow(path) || mode === link) continue;
    if (mode === submodule) repositories.push(pathOf(path));
    else files.add(pathOf(path));
  }
  for (const path of others.filter(isBelow)) {
    if (path.endsWith('/')) repositories.push(pathOf(path.slice(0, -1)));
    else files.add(pathOf(path));
  }
  const areThere = await Promise.all(repositories.map(isRepository));
  return { files: [...files], repositories: repositories.filter((_, index) => areThere[index]) };
}

function isBelow(path: string): boolean {
  return path !== '' && !isAbsolute(path) && !path.split('/').includes('..');
}

/** False for a submodule that was not fetched: it has no files. */
async function isRepository(path: string): Promise<boolean> {
  return lstat(join(path, '.git')).then(
    () => true,
    () => false,
  );
}
