import type { Sent } from '../../model/processes/listenerProtocol.ts';
import { t } from '../../model/text/l10n.ts';
import { showBriefly } from '../showBriefly.ts';

/** Shows the response to a sent delivery in the status bar. @returns the argument */
export function tellSent<T extends Sent>(sent: T): T {
  showBriefly(t('Answered {0} in {1} ms.', sent.status, Math.round(sent.durationMs)));
  return sent;
}
