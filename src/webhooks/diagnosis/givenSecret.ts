import { t } from '../../model/text/l10n.ts';
import type { Cause } from './cause.ts';
import { secretChanges } from './secretChanges.ts';

const changed = new Set(secretChanges.map(({ kind }) => kind));

/** Rewords a cause for a run whose secret Runhook itself sent: no copy of the caller's is to blame. */
export function ofGivenSecret(cause: Cause): Cause {
  if (changed.has(cause.kind)) {
    const text = t('the service signed with another form of the secret than Runhook gave it with this run');
    return { ...cause, text };
  }
  if (cause.kind !== 'earlierSecret') return cause;
  return {
    ...cause,
    text: t('signed with the secret that Runhook gave it then: run it again for the current one'),
  };
}
