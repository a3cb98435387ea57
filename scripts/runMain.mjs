import { constants } from 'node:os';
import { stopAll } from './processes.mjs';

/** An expected failure. Its message tells the user what to do, so it is printed without a stack. */
export class ScriptError extends Error {}

/**
 * Runs a script's main function and exits with its code. All child processes are stopped first, also after an
 * error or a signal such as Ctrl-C.
 * @param {() => Promise<number | void>} main returns the exit code
 */
export async function runMain(main) {
  let ending = false;
  /** @param {number} code */
  const end = async (code) => {
    if (ending) return;
    ending = true;
    await stopAll();
    process.exit(code);
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => void end(128 + constants.signals[signal]));
  }
  try {
    await end((await main()) ?? 0);
  } catch (error) {
    if (!ending) console.error(isExpected(error) ? `\n${error.message}` : error);
    await end(1);
  }
}

/**
 * @param {unknown} error
 * @returns {error is Error}
 */
function isExpected(error) {
  if (error instanceof ScriptError) return true;
  // An option that is mistyped.
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/**
 * Prints the name of a task, then a line every ten seconds while it runs, and at the end its duration.
 * @template T
 * @param {string} task for example "installing the dependencies"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(task, work) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  console.log(`• ${task} …`);
  const timer = setInterval(() => console.log(`  … ${task}, ${seconds()} s`), 10_000);
  try {
    const result = await work();
    if (seconds() > 0) console.log(`  done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
