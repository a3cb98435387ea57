import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { askGit } from './gitProgram.ts';
import { repositoryRoot } from './repositoryRoot.ts';

/** The most repositories that are listed, including nested ones. */
const mostRepositories = 100;

/** The modes of a submodule and of a symbolic link in git's index. */
const [submodule, link] = ['160000', '120000'];

interface Listed {
  files: string[];
  /** Folders that may be repositories. */
  nested: string[];
}

/**
 * Lists the files below a folder that git does not ignore: tracked ones, and untracked ones. Includes the files of
 * nested repositories. Paths are absolute; a tracked file may be gone.
 * @param program the path of git
 * @throws if the folder is not in a repository, or git cannot tell
 */
export async function gitFiles(program: string, folder: string, signal: AbortSignal): Promise<string[]> {
  const files = new Set<string>();
  const seen = new Set([await realpath(folder)]);
  const folders = [folder];
  for (const asked of folders) {
    const listed = await list(program, asked, signal);
    for (const file of listed.files) files.add(file);
    for (const nested of listed.nested) {
      const real = await repositoryAt(nested);
      if (real === undefined || seen.has(real) || seen.size >= mostRepositories) continue;
      seen.add(real);
      folders.push(nested);
    }
  }
  return [...files];
}

async function list(program: string, folder: string, signal: AbortSignal): Promise<Listed> {
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
  const listed: Listed = { files: [], nested: [] };
  for (const entry of tracked) {
    // 100644 <object> <stage> TAB <path>
    const mode = entry.slice(0, submodule.length);
    const path = entry.slice(entry.indexOf('\t') + 1);
    if (!isBelow(path) || mode === link) continue;
    (mode === submodule ? listed.nested : listed.files).push(pathOf(path));
  }
  for (const path of others.filter(isBelow)) {
    if (path.endsWith('/')) listed.nested.push(pathOf(path.slice(0, -1)));
    else listed.files.push(pathOf(path));
  }
  return listed;
}

function isBelow(path: string): boolean {
  return path !== '' && !isAbsolute(path) && !path.split('/').includes('..');
}

/** The real path of a repository; undefined if the path is a link or has none, like a submodule not yet fetched. */
async function repositoryAt(path: string): Promise<string | undefined> {
  try {
    if (!(await lstat(path)).isDirectory()) return undefined;
    await lstat(join(path, '.git'));
    return await realpath(path);
  } catch {
    return undefined; // There is no repository, so it has no files.
  }
}
