import { clockTime } from '../deliveries/deliveryLine.ts';
import { durationText } from '../text/durationText.ts';
import { plainText } from '../text/plainText.ts';
import { maxAttempts } from './webhookRetry.ts';
import { t } from '../text/l10n.ts';

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
}

/** What followed from an attempt, in words. */
export function followedText({ outcome, nextInMs = 0 }: WebhookAttempt): string {
  switch (outcome) {
    case 'delivered':
      return t('delivered');
    case 'retry':
      return t('the next in {0}', durationText(nextInMs));
    case 'givenUp':
      return t('given up');
  }
}

/** An attempt as a line of a log. */
export function attemptLine(attempt: WebhookAttempt): string {
  const { runId, number, status, error = '' } = attempt;
  const came = status === undefined ? plainText(error, 300) : `answered ${status}`;
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
