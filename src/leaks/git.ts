import { execFile } from 'node:child_process';
import { lstat, realpath } from 'node:fs/promises';
import { devNull } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** How long git may take, in milliseconds: a million files are listed in seconds. */
const timeLimitMs = 60_000;

/** The most that git may print, in bytes. */
const longestOutput = 256 * 1024 * 1024;

/**
 * A repository's own settings name programs that git runs, and the repository may have been cloned from anywhere.
 * So none of its programs is run, nothing is fetched, and nothing is written.
 */
// guard S71: Programs that a repository's settings name are switched off.
const safeSettings = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.untrackedCache=false',
  // A folder of files that look like a bare repository is none: a clone can bring it.
  'safe.bareRepository=explicit',
];

const safeVariables = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  /** No protocol has this name. For older versions of git, which do not know the previous variable. */
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
};

/** Variables set by a git that runs this program. They would redirect the git below to another repository. */
const redirecting = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_NAMESPACE'];

interface GitCall {
  /** The working directory. */
  folder: string;
  signal?: AbortSignal;
  /** Whether the command takes paths instead of patterns, and so does not accept `--literal-pathspecs`. */
  isOfPaths?: boolean;
}

/**
 * Runs git, for reading only.
 * @param program its path
 * @returns what it printed
 * @throws if it fails, takes too long or prints too much
 */
async function askGit(
  program: string,
  args: readonly string[],
  { folder, signal, isOfPaths = false }: GitCall,
): Promise<Buffer> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !redirecting.includes(name)));
  const settings = safeSettings.flatMap((setting) => ['-c', setting]);
  const { stdout } = await execute(
    program,
    [...settings, ...(isOfPaths ? [] : ['--literal-pathspecs']), ...args],
    {
      cwd: folder,
      env: { ...env, ...safeVariables },
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
      maxBuffer: longestOutput,
      encoding: 'buffer',
      windowsHide: true,
      signal,
    },
  );
  return stdout;
}

/**
 * The nearest folder, from this one up, that has a `.git`: the root of its repository. Git itself takes any folder for a
 * repository that holds what a bare one does, and a clone can bring such a folder, with settings of its own.
 * @param folder a real path
 */
async function repositoryRoot(folder: string): Promise<string | undefined> {
  const isHere = await lstat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  if (isHere) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryRoot(above);
}

/** The modes of a submodule and of a symbolic link in git's index. */
const [submodule, link] = ['160000', '120000'];

/** A folder is no repository, nor in one. */
export class NoRepositoryError extends Error {
  override readonly name = 'NoRepositoryError';
}

/** What git lists below a folder. Paths are absolute. */
interface GitFiles {
  /** A tracked file may be gone. */
  files: string[];
  /** The repositories within this one: git does not list their files. */
  repositories: string[];
}

/**
 * Lists the files below a folder that git does not ignore: tracked ones, and untracked ones.
 * @param program the path of git
 * @throws NoRepositoryError if the folder is in none; another error if git cannot tell
 */
export async function gitFiles(program: string, folder: string, signal: AbortSignal): Promise<GitFiles> {
  const real = await realpath(folder);
  const root = await repositoryRoot(real);
  if (root === undefined) throw new NoRepositoryError(folder);
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

/** How git treats a file; `unknown` if git cannot be asked. */
type GitView = 'ignored' | 'seen' | 'noRepository' | 'unknown';

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
