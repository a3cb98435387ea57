import { t } from '../../model/text/l10n.ts';
import type { Cause } from './cause.ts';
import type { Diagnosis } from './diagnosis.ts';

/** The kinds of causes that are changes to the secret. */
const changed = new Set(['aroundSecret', 'secretPrefix', 'secretDecoded', 'secretEncoded', 'secretCharset']);

/** Rewords a diagnosis for a run whose secret Runhook itself sent: no copy of the caller's is to blame. */
export function ofGivenSecret(diagnosis: Diagnosis): Diagnosis {
  if (diagnosis.kind === 'unexplained') return { ...diagnosis, isGiven: true };
  return diagnosis.kind === 'explained'
    ? { ...diagnosis, causes: diagnosis.causes.map(blameless) }
    : diagnosis;
}

function blameless(cause: Cause): Cause {
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
