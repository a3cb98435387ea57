import type { Upsert } from '../../model/processes/listenerProtocol.ts';
import { toDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import type { DeliveryRow } from './deliveryRow.ts';
import type { DeliveryStore } from './deliveryStore.ts';

/**
 * A delivery as a window is told of it.
 * @param after the revision up to which the window was told before
 */
export function upsertOf(
  { kept, known, arrivedRevision, runStartedAt }: DeliveryRow,
  after: number,
  store: Pick<DeliveryStore, 'takenStatus'>,
  isHandingOn: (id: string) => boolean,
): Upsert {
  const { id, repeatOf } = kept;
  const wasTaken =
    known.forward === undefined && repeatOf !== undefined && store.takenStatus(repeatOf) !== undefined;
  return {
    delivery: toDelivery(kept, known),
    isNew: arrivedRevision > after,
    ...(runStartedAt !== undefined && { sinceRunMs: Math.max(0, kept.receivedAt - runStartedAt) }),
    ...(isHandingOn(id) && { isHandedOn: true as const }),
    ...(wasTaken && { wasTaken }),
  };
}
