import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError, UnreachableError } from './errors.ts';

/** How often a GET is sent at most. */
const maxTries = 3;

/** A service that asks for a longer wait gets no further try: the user is told instead. */
const longestRetryAfterMs = 20_000;

/** What retrying needs from its environment; tests replace it. */
export const retryParts = {
  random: Math.random,
  now: Date.now,
  /** Rejects if the signal is aborted during the wait. */
  wait: (ms: number, signal?: AbortSignal): Promise<void> => wait(ms, undefined, signal ? { signal } : {}),
};

/**
 * How long to wait, in milliseconds, before a failed GET is retried; undefined if it is not retried.
 * @param attempt the number of the try that failed, from 1
 */
export function waitBeforeRetry(error: unknown, attempt: number, random: number): number | undefined {
  if (attempt >= maxTries) return undefined;
  const backOff = Math.round(500 * 2 ** (attempt - 1) * (0.5 + random / 2));
  if (error instanceof UnreachableError) return error.passing ? backOff : undefined;
  if (!(error instanceof ServiceError) || (error.status !== 429 && error.status < 500)) return undefined;
  if (error.retryAfterMs === undefined) return backOff;
  return error.retryAfterMs <= longestRetryAfterMs ? error.retryAfterMs : undefined;
}

/** `Retry-After` in milliseconds. The header holds seconds or an HTTP date; undefined if it is neither. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = /\d{4}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
