// The processes that a script starts, and their end. Plain JavaScript, because bootstrap.mjs needs it on
// the system's node, before anything is installed.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

const windows = process.platform === 'win32';

/** How long each process may take to end itself, in milliseconds. @type {Map<ChildProcess, number>} */
const owned = new Map();

/** From then on nothing is started any more. */
let isEnding = false;

/** @type {Set<() => unknown>} */
const cleanups = new Set();

/**
 * Starts a process that leads a group of its own, so that its end takes along whatever it started. Its
 * standard input is closed: a group in the background may not read from the terminal. With `background` it takes the
 * processor that nothing else wants.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, output?: 'inherit' | 'pipe', graceMs?: number, background?: boolean }} [options]
 * @returns {ChildProcess}
 */
export function spawnOwned(
  command,
  args,
  { cwd, env, output = 'pipe', graceMs = 3000, background = false } = {},
) {
  if (isEnding) throw new Error(`${command} was not started: the script is ending.`);
  const child = spawn(command, args, {
    ...(cwd && { cwd }),
    ...(env && { env }),
    stdio: ['ignore', output, output],
    detached: !windows,
    // npm is a .cmd file there, which only a shell can start.
    shell: windows && !command.endsWith('.exe'),
  });
  if (background && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  owned.set(child, graceMs);
  child.once('error', () => owned.delete(child));
  return child;
}

/**
 * Runs a command to its end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, output?: 'inherit' | 'pipe', graceMs?: number, background?: boolean, print?: (text: string) => void }} [options] `print` is given
 *   what is piped, as it comes
 * @returns {Promise<{ code: number, output: string }>} `output` holds both streams, where they are piped
 */
export async function runOwned(command, args, { print, ...options } = {}) {
  const child = spawnOwned(command, args, options);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text;
      print?.(text);
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  await endOwned(child);
  return { code, output };
}

/**
 * Ends a process and its group: politely first, and after its time of grace for certain.
 * @param {ChildProcess} child
 */
export async function endOwned(child) {
  const { pid } = child;
  const graceMs = owned.get(child);
  if (pid === undefined || graceMs === undefined) return;
  if (windows) {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
  } else {
    signalGroup(pid, 'SIGTERM');
    const deadline = Date.now() + graceMs;
    while (signalGroup(pid, 0) && Date.now() < deadline) await pause(25);
    signalGroup(pid, 'SIGKILL');
    while (signalGroup(pid, 0)) await pause(10);
  }
  owned.delete(child);
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} signal
 * @returns {boolean} whether anyone of the group is there
 */
function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Has something done when the script ends, by itself or by a signal.
 * @param {() => unknown} cleanup
 */
export function atEnd(cleanup) {
  cleanups.add(cleanup);
}

/** Ends every process that is left, then cleans up, last thing first. */
export async function endAll() {
  isEnding = true;
  await Promise.all([...owned.keys()].map((child) => endOwned(child)));
  const last = [...cleanups].reverse();
  cleanups.clear();
  for (const cleanup of last) await cleanup();
}
