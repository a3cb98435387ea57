import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** How long git may take, in milliseconds: a million files are listed in seconds. */
const timeLimitMs = 60_000;

/** What it may print, in bytes. */
const longestOutput = 256 * 1024 * 1024;

/**
 * A repository's own settings name programs that git runs, and this one may have been cloned from anywhere:
 * nothing of it is run, nothing is fetched, and nothing is written.
 */
// guard: the programs that a repository's settings name switched off
const safeSettings = ['core.fsmonitor=false', `core.hooksPath=${devNull}`, 'core.untrackedCache=false'];

const safeVariables = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  /** No way to fetch has this name: older gits do not know the variable before. */
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
};

/** Of a git that runs this program: they would lead it to another repository. */
const leadingAway = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_NAMESPACE'];

export interface GitCall {
  /** The folder that it is run in. */
  folder: string;
  signal?: AbortSignal;
  /** What it reads. */
  input?: string;
  /** Whether it takes paths and no patterns, and so cannot be told to take them as they are. */
  isOfPaths?: boolean;
}

/**
 * Runs git, for reading only.
 * @param program its path
 * @returns what it printed
 * @throws where it fails, takes too long or prints too much
 */
export async function askGit(
  program: string,
  args: readonly string[],
  { folder, signal, input = '', isOfPaths = false }: GitCall,
): Promise<Buffer> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !leadingAway.includes(name)));
  const settings = safeSettings.flatMap((setting) => ['-c', setting]);
  const running = execute(program, [...settings, ...(isOfPaths ? [] : ['--literal-pathspecs']), ...args], {
    cwd: folder,
    env: { ...env, ...safeVariables },
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
    maxBuffer: longestOutput,
    encoding: 'buffer',
    windowsHide: true,
    ...(signal !== undefined && { signal }),
  });
  // One that ends before it has read all says so by its exit code.
  running.child.stdin?.on('error', () => undefined).end(input);
  return (await running).stdout;
}
