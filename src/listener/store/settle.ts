import type { KeptDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import { runIdOf } from '../../webhooks/deliveries/runIdOf.ts';
import type { Settled } from './deliveryTable.ts';
import type { OpenStore } from './storeFile.ts';

/** How many deliveries are settled in one go: responses wait meanwhile. */
const batchSize = 100;

type ReasonFor = (delivery: KeptDelivery) => string | undefined;

/**
 * Settles all new deliveries: determines what the response did not need, which is the run, and why it did not verify.
 * @param write returns whether the work could be written
 */
export function settle(
  read: <T>(work: (store: OpenStore) => T) => T | undefined,
  write: (work: (store: OpenStore) => void) => boolean,
  reasonFor: ReasonFor,
): void {
  for (;;) {
    const rows = read(({ table }) => table.unsettled(batchSize)) ?? [];
    if (rows.length === 0) return;
    const isWritten = write(({ table }) => {
      for (const { seq, kept } of rows) table.settle(seq, settledOf(kept, reasonFor));
    });
    if (!isWritten) return;
  }
}

export function settledOf(delivery: KeptDelivery, reasonFor: ReasonFor): Settled {
  return { runId: runIdOf(delivery.body), reason: delivery.reason ?? reasonFor(delivery) };
}
