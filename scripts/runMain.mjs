import { constants } from 'node:os';
import { endAll } from './processes.mjs';

/** A failure that the reader of the terminal can do something about: shown without its stack. */
export class ScriptError extends Error {}

/**
 * Runs a script's main function. Whatever way it ends, by itself, by an error or by Ctrl-C, nothing is left
 * running.
 * @param {() => Promise<number | void>} main returns the exit code
 */
export async function runMain(main) {
  let ending = false;
  /** @param {number} code */
  const end = async (code) => {
    if (ending) return;
    ending = true;
    await endAll();
    process.exit(code);
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => void end(128 + constants.signals[signal]));
  }
  try {
    await end((await main()) ?? 0);
  } catch (error) {
    if (!ending) console.error(error instanceof ScriptError ? `\n${error.message}` : error);
    await end(1);
  }
}

/**
 * Prints what is being done, every ten seconds that it is still going on, and how long it took.
 * @template T
 * @param {string} task as a clause: "installing the dependencies"
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
