import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks until the answer is truthy, and returns it. An attempt that throws counts as "not yet"; the last
 * such error is told with the failure. Each attempt may take as long as all before it, so that a slow machine
 * comes to its end as well.
 * @param what names what is waited for, for the message of the failure
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
    // What takes long is asked for less often.
    await pause(Math.min(250, 50 + (Date.now() - started) / 20));
  } while (Date.now() - started < timeoutMs);
  const why = cause === undefined ? '.' : `: ${cause.message}`;
  throw new Error(`Waited ${timeoutMs / 1000} s for ${what}${why}`, { cause });
}
