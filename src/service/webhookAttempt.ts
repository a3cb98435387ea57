import type { sandboxFaults } from '../contract/values.ts';
import { clockTime, durationText } from '../shared/text/durationText.ts';
import { t } from '../shared/text/l10n.ts';
import { plainText } from '../shared/text/plainText.ts';
import { isSuccess } from '../shared/http/isSuccess.ts';

/** At most this many attempts in all (service-interface.md, section 6, "Retry behaviour"). */
export const maxAttempts = 3;

/** The longest delay between two attempts, in milliseconds (section 6: "up to 5 seconds"). */
export const maxDelayMs = 5000;

/** How one attempt to deliver a webhook ended. A time-out is a network error. */
export type AttemptOutcome = { kind: 'response'; status: number } | { kind: 'networkError'; reason: string };

/** What follows from an attempt. */
type AttemptVerdict = 'delivered' | 'permanentFailure' | 'retry';

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

/**
 * Whether a status is final: 200 to 599. A lower one is interim (RFC 9110, section 15.2) or cannot be sent at all; a
 * higher one has no defined meaning.
 */
export function isFinalStatus(status: number): boolean {
  return status >= 200 && status <= 599;
}

/** One attempt of the sandbox to deliver a webhook (service-interface.md, section 6). */
export interface WebhookAttempt {
  /** The service's id of the run. */
  runId: string;
  appName: string;
  /** Its `X-Request-Id`, the same for each attempt of a webhook. */
  requestId: string;
  /** Origin and path of the endpoint. Its query may hold a secret. */
  to: string;
  /** When it began: ISO 8601. */
  at: string;
  /** 1 for the first. */
  number: number;
  durationMs: number;
  /** The status of the answer; absent if there was none. */
  status?: number;
  /** Why there was no answer. */
  error?: string;
  /** What follows from the attempt. */
  outcome: 'delivered' | 'retry' | 'givenUp';
  /** How long the sandbox waits before the next attempt. */
  nextInMs?: number;
  /** The full length of the app's answer, in bytes, if the webhook contains only its beginning. */
  cutFrom?: number;
  /** What the sandbox simulated for the run. */
  faults?: readonly (typeof sandboxFaults)[number][];
}

/** What followed from an attempt, in words. */
export function followedText({ outcome, nextInMs = 0 }: WebhookAttempt): string {
  switch (outcome) {
    case 'delivered':
      return t('delivered');
    case 'retry':
      return t('the next in {0}', durationText(nextInMs));
    case 'givenUp':
      return t('no more attempts');
  }
}

/** An attempt as a line of a log. */
export function attemptLine(attempt: WebhookAttempt): string {
  const { runId, number, status, error = '' } = attempt;
  const came = status === undefined ? plainText(error, 300) : `returned ${status}`;
  const then = followedText(attempt);
  return `Webhook of run ${runId}, attempt ${number} of ${maxAttempts}: ${came}; ${then}.`;
}

/** An attempt as a line of columns for the user. Plain text, no markup. */
export function attemptColumns(attempt: WebhookAttempt): string {
  const { at, appName, runId, number, status, error = '' } = attempt;
  const answer = status?.toString() ?? plainText(error, 120);
  const attemptOf = t('{0} of {1}', number, maxAttempts);
  const columns = [clockTime(new Date(at)), plainText(appName), plainText(runId), attemptOf, answer];
  return [...columns, followedText(attempt)].join('  ');
}
