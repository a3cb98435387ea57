// Starts child processes and stops them when the script exits. This is plain JavaScript because bootstrap.mjs
// imports it on the system's Node, which may not run TypeScript.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

const windows = process.platform === 'win32';

/** The running processes, with the milliseconds each gets between SIGTERM and SIGKILL. @type {Map<ChildProcess, number>} */
const owned = new Map();

/** While this is true, no further process is started. */
let isStopping = false;

/** @type {Set<() => unknown>} */
const cleanups = new Set();

/**
 * Starts a process in a process group of its own, so that its children are stopped with it. It has no standard
 * input, because a background group may not read from the terminal. `background` gives it the lowest priority.
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
  if (isStopping) throw new Error(`${command} was not started: the script is ending.`);
  const child = spawn(command, args, {
    ...(cwd && { cwd }),
    ...(env && { env }),
    stdio: ['ignore', output, output],
    detached: !windows,
    // On Windows npm is a .cmd file, which only a shell can start.
    shell: windows && !command.endsWith('.exe'),
  });
  if (background && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  owned.set(child, graceMs);
  child.once('error', () => owned.delete(child));
  return child;
}

/**
 * Runs a command and waits for it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, output?: 'inherit' | 'pipe', graceMs?: number, background?: boolean, print?: (text: string) => void }} [options]
 *   `print` receives piped output as it arrives
 * @returns {Promise<{ code: number, output: string }>} `output` is the piped stdout and stderr
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
  await stopOwned(child);
  return { code, output };
}

/**
 * Stops a process and its group: SIGTERM, then SIGKILL when its grace period is over.
 * @param {ChildProcess} child
 */
export async function stopOwned(child) {
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
 * @returns {boolean} whether the group still has a process
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
 * Registers a cleanup that runs when the script exits, also after a signal.
 * @param {() => unknown} cleanup
 */
export function onExit(cleanup) {
  cleanups.add(cleanup);
}

/** Stops the remaining processes, then runs the cleanups in reverse order. */
export async function stopAll() {
  isStopping = true;
  await Promise.all([...owned.keys()].map((child) => stopOwned(child)));
  const last = [...cleanups].reverse();
  cleanups.clear();
  for (const cleanup of last) await cleanup();
}
