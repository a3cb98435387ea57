import { isSuccess } from '../service/isSuccess.ts';
import { t } from '../text/l10n.ts';
import type { Run } from './run.ts';

/** What tells whether a run was refused. */
type Ended = Pick<Run, 'outcome' | 'runId' | 'delivery'>;

/**
 * The status with which a run was refused, so that nothing of it will be delivered. A delivery holds what the app
 * answered, whatever its status, and the run's id (service-interface.md, section 6). So an answer that names a run is not
 * a refusal, and a 5xx may be an app that failed: those are delivered. What else is neither 2xx nor 5xx never was a run.
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

/** Why nothing is delivered for a run that was refused, and what to do; undefined for any other. */
export function refusalText(run: Ended): string | undefined {
  const status = refusedStatus(run);
  if (status === undefined) return undefined;
  const refused = t('Not delivered: the run was refused ({0}).', status);
  return needsToken(run) ? `${refused} ${t('Set a new token.')}` : refused;
}
