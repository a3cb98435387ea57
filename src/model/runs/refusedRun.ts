import { isSuccess } from '../service/isSuccess.ts';
import { maxAttempts } from '../service/webhookRetry.ts';
import { t } from '../text/l10n.ts';
import type { Run } from './run.ts';

/** The part of a run that tells whether it was refused. */
type Ended = Pick<Run, 'outcome' | 'runId' | 'delivery' | 'brokenOff'>;

/**
 * The status with which a run was refused, so that nothing is delivered for it. A delivery contains the app's answer,
 * whatever its status, and the run's id (service-interface.md, section 6). So an answer that names a run is not a
 * refusal, and a 5xx may come from an app that failed: both are delivered. Any other answer outside 2xx and 5xx means
 * that there was no run.
 */
export function refusedStatus({ outcome, runId, delivery }: Ended): number | undefined {
  if (outcome.kind !== 'answered' || runId !== undefined || delivery !== undefined) return undefined;
  const { status } = outcome;
  return isSuccess(status) || status >= 500 ? undefined : status;
}

/** Whether another token may help. */
export function needsToken(run: Ended): boolean {
  const status = refusedStatus(run);
  return status === 401 || status === 403;
}

/** Whether nothing more is sent for a run: it was refused, or all attempts to deliver it broke off. */
export function isGivenUp(run: Ended): boolean {
  const { brokenOff, delivery } = run;
  const hasTriedAll = delivery === undefined && (brokenOff?.times ?? 0) >= maxAttempts;
  return hasTriedAll || refusedStatus(run) !== undefined;
}

/**
 * Whether a delivery to the listener is worth a wait. After a 5xx it is not: it may be that of an app that failed, and
 * come, or that of a proxy without an app, and never come. One that comes is shown all the same.
 */
export function isExpected(run: Ended & Pick<Run, 'input'>): boolean {
  const { input, outcome, delivery } = run;
  if (input.webhook !== true || outcome.kind !== 'answered' || delivery !== undefined) return false;
  return outcome.status < 500 && !isGivenUp(run);
}

/** Why nothing is delivered for a run that is given up, and what to do; undefined for any other. */
export function refusalText(run: Ended): string | undefined {
  if (!isGivenUp(run)) return undefined;
  const status = refusedStatus(run);
  if (status === undefined) {
    return t('Not delivered: {0} attempts broke off, and the service makes no more.', maxAttempts);
  }
  const refused = t('Not delivered: the run was refused ({0}).', status);
  return needsToken(run) ? `${refused} ${t('Set a new token.')}` : refused;
}
