import { endSignals } from '../listener/program/endSignals.ts';

const { promise, resolve } = Promise.withResolvers<undefined>();

/** Resolves once the program was asked to end, if it ever waits for that by {@link untilInterrupted}. */
export const interrupted = promise;

/**
 * Waits until the user or the system asks the program to end, or the reader of the output closes it. A second Ctrl-C
 * ends the process as usual.
 */
export function untilInterrupted(): Promise<unknown> {
  for (const signal of endSignals) process.once(signal, () => resolve(undefined));
  process.stdout.once('error', () => resolve(undefined));
  return interrupted;
}
