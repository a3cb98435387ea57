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
