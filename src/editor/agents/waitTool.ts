import { toldDelivery } from '../../model/agents/toldDelivery.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { type DeliveryWaitParts, waitForDelivery } from '../run/feature.ts';
import type { Tool } from './tool.ts';

/** How long it waits if a model gives no timeout, in seconds. */
const defaultSeconds = 60;

/** Waits for the delivery of a run, and ends as soon as it has arrived or can no longer arrive. */
export function waitTool(parts: DeliveryWaitParts): Tool<'waitForDelivery'> {
  return {
    progress: ({ runId }) => t('Waiting for the delivery of {0}', plainText(runId)),
    run: async ({ runId, timeoutSeconds = defaultSeconds }, signal) => {
      const result = await waitForDelivery(parts, runId, timeoutSeconds, signal);
      return 'notDelivered' in result ? result : toldDelivery(result);
    },
  };
}
