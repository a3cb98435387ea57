import type { Sent } from '../../model/processes/listenerProtocol.ts';
import { t } from '../../model/text/l10n.ts';
import { showBriefly } from '../showBriefly.ts';

/** Says in the status bar what a delivery that was sent was answered. @returns the same */
export function tellSent<T extends Sent>(sent: T): T {
  showBriefly(t('Answered {0} in {1} ms.', sent.status, Math.round(sent.durationMs)));
  return sent;
}
