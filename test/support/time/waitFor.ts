import { setTimeout as pause } from 'node:timers/promises';

/**
 * Polls `ask` until it returns something truthy, and returns that. An error counts as "not yet"; the final error
 * includes the last one. `patienceMs`, the suggested timeout for an attempt, grows with the elapsed time, so that slow
 * machines succeed too.
 * @param what the awaited condition, for the error message
 */
export async function waitFor<T>(
  what: string,
  ask: (patienceMs: number) => T | Promise<T>,
  timeoutMs = 60_000,
): Promise<NonNullable<T>> {
  const started = Date.now();
  let cause: Error | undefined;
  do {
    try {
      const answer = await ask(Math.max(2000, Date.now() - started));
      if (answer) return answer;
      cause = undefined;
    } catch (error) {
      cause = error as Error;
    }
    // Polls less often as time passes.
    await pause(Math.min(250, 50 + (Date.now() - started) / 20));
  } while (Date.now() - started < timeoutMs);
  const why = cause === undefined ? '.' : `: ${cause.message}`;
  throw new Error(`Waited ${timeoutMs / 1000} s for ${what}${why}`, { cause });
}
