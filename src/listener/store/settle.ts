import type { KeptDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import { runIdOf } from '../../webhooks/deliveries/runIdOf.ts';
import type { Settled } from './deliveryTable.ts';
import type { OpenStore } from './storeFile.ts';

/** How many deliveries are looked into in one go: answers wait meanwhile. */
const atOnce = 100;

type ReasonFor = (delivery: KeptDelivery) => string | undefined;

/**
 * Finds out what no answer waits for, of all that came since: the run of a delivery, and why it did not verify.
 * @param write whether it could be written
 */
export function settle(
  read: <T>(work: (store: OpenStore) => T) => T | undefined,
  write: (work: (store: OpenStore) => void) => boolean,
  reasonFor: ReasonFor,
): void {
  for (;;) {
    const rows = read(({ table }) => table.unsettled(atOnce)) ?? [];
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
