import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
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

export interface GitCall {
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
export async function askGit(
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
      ...(signal !== undefined && { signal }),
    },
  );
  return stdout;
}
