import type { WholeDelivery } from '../../src/contract/delivery.ts';
import { DeliveryStore } from '../../src/listener/store/deliveryStore.ts';

/**
 * Reads the deliveries in a store, oldest first, as another program would.
 * @param folder the folder of the store's file
 */
export function readKeptDeliveries(folder: string): WholeDelivery[] {
  const store = new DeliveryStore({
    folder,
    keep: 1_000_000,
    now: () => Date.now(),
    onProblem: (problem) => {
      if (problem !== undefined) throw problem;
    },
    onSetAside: (path) => {
      throw new Error(`The file was broken: ${path}`);
    },
    onChanged: () => undefined,
  });
  const kept = store
    .page({}, 1_000_000)
    .deliveries.map(({ id }) => store.whole(id))
    .reverse();
  store.close();
  return kept;
}

/** Describes acknowledged deliveries that are missing or changed, and repeats that are not joined to the first. */
export function findLossesAndDoubles(
  kept: readonly WholeDelivery[],
  acknowledged: ReadonlyMap<string, string>,
): string[] {
  const firsts = new Map<string, WholeDelivery>();
  const wrong: string[] = [];
  for (const delivery of kept) {
    const { id, requestId = '', repeatOf, body } = delivery;
    const first = firsts.get(requestId);
    if (first === undefined && repeatOf === undefined) firsts.set(requestId, delivery);
    else if (first === undefined || repeatOf !== first.id || first.body !== body) {
      wrong.push(
        `${id} (${requestId}) is not joined to the first of its kind, ${first?.id ?? 'which is missing'}.`,
      );
    }
  }
  for (const [requestId, body] of acknowledged) {
    const first = firsts.get(requestId);
    if (first === undefined) wrong.push(`${requestId} was acknowledged and is lost.`);
    else if (first.body !== body) wrong.push(`${requestId} is not as it was sent.`);
  }
  return wrong;
}
