import { endSignals } from '../listener/program/endSignals.ts';

/**
 * Waits until the user or the system asks the program to end, or the reader of the output closes it. A second Ctrl-C
 * ends the process as usual.
 */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of endSignals) process.once(signal, () => resolve());
    process.stdout.once('error', () => resolve());
  });
}
