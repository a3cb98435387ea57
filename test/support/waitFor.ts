import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks until the answer is truthy, and returns it. An attempt that throws counts as "not yet"; the last
 * such error is the cause of the failure.
 * @param what names what is waited for, for the message of the failure
 */
export async function waitFor<T>(
  what: string,
  ask: () => T | Promise<T>,
  timeoutMs = 15_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  let cause: unknown;
  do {
    try {
      const answer = await ask();
      if (answer) return answer;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await pause(50);
  } while (Date.now() < deadline);
  throw new Error(`Waited ${timeoutMs / 1000} s for ${what}.`, { cause });
}
