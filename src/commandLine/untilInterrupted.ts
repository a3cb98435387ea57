/**
 * Waits until the user, the system or whoever reads the output wants the program to end. A second Ctrl-C ends it as it
 * would any program.
 */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    process.stdout.once('error', () => resolve());
  });
}
