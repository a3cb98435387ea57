import type { Sent } from '../../deliveries/listenerProtocol.ts';
import { t } from '../../shared/text/l10n.ts';
import { showBriefly } from '../kit/progress.ts';

/**
 * Shows the response to a sent delivery in the status bar.
 * @param why why it was signed anew, although nobody said so
 * @returns the first argument
 */
export function tellSent<T extends Sent>(sent: T, why?: string): T {
  const { status } = sent;
  const durationMs = Math.round(sent.durationMs);
  showBriefly(
    why === undefined
      ? t('Returned {0} in {1} ms.', status, durationMs)
      : t('Signed anew, since it was {0}. Returned {1} in {2} ms.', why, status, durationMs),
  );
  return sent;
}
