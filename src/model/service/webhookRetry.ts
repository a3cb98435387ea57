import { isSuccess } from './isSuccess.ts';

/** At most this many attempts in all (service-interface.md, section 6, "Retry behaviour"). */
export const maxAttempts = 3;

/** The longest delay between two attempts, in milliseconds (section 6: "up to 5 seconds"). */
export const maxDelayMs = 5000;

/** How one attempt to deliver a webhook ended. A time-out is a network error. */
export type AttemptOutcome = { kind: 'response'; status: number } | { kind: 'networkError'; reason: string };

/** What follows from an attempt. */
export type AttemptVerdict = 'delivered' | 'permanentFailure' | 'retry';

/** The retry table of service-interface.md, section 6, row by row. */
export function judgeAttempt(outcome: AttemptOutcome): AttemptVerdict {
  if (outcome.kind === 'networkError') return 'retry';
  const { status } = outcome;
  if (isSuccess(status)) return 'delivered';
  if (status === 404) return 'retry';
  if (status >= 400 && status < 600) return 'permanentFailure';
  return 'retry';
}

/**
 * The delay in milliseconds before the attempt that follows attempt number `attempt` (1 for the first).
 * The interface document gives a maximum but no curve. Here the delay doubles from 500 ms, with jitter.
 * @param random a number from 0 (inclusive) to 1 (exclusive)
 */
export function retryDelayMs(attempt: number, random: number): number {
  const full = Math.min(maxDelayMs, 500 * 2 ** attempt);
  return Math.round(full / 2 + (full / 2) * random);
}
