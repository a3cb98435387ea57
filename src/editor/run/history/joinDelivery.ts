import type { Delivery } from '../../../contract/delivery.ts';
import { failureReason } from '../../../deliveries/outcomeText.ts';
import type { Run, RunDelivery } from '../../../service/runs/run.ts';

/** Whether a delivery names the run, or was joined to it. */
export function isOf(delivery: Delivery, run: Run): boolean {
  if (delivery.joinedRun === run.id) return true;
  return delivery.runId === undefined ? run.delivery?.id === delivery.id : run.runId === delivery.runId;
}

/**
 * Keeps one delivery per run, the first, and counts its repeats. A repeat may be reported before the first one. A
 * forgery that came first is replaced by the verified delivery, and one that was made here by the next of these, or by the
 * service's.
 */
export function joinDelivery(
  known: RunDelivery | undefined,
  delivery: Delivery,
  isNew: boolean,
): RunDelivery {
  const { id, verdict, receivedAt, answered, repeatOf, reason, sentAt, madeHere } = delivery;
  const isRepeat = repeatOf !== undefined;
  const isNewer = isNew && known?.madeHere === true && madeHere === true && !isRepeat;
  if (known === undefined || rank(delivery) > rank(known) || isNewer) {
    const came = { id: repeatOf ?? id, verdict, receivedAt, answered, repeats: isRepeat ? 1 : 0 };
    const why = { ...(reason && { reason }), ...(sentAt && { sentAt }), ...(madeHere && { madeHere }) };
    return { ...came, ...why, ...handed(delivery) };
  }
  const { forward, isForwarding, ...rest } = known;
  if (isRepeat) {
    // One that the handler has not got says nothing of it.
    const isHanded = delivery.forward !== undefined || delivery.isForwarding === true;
    const repeats = known.repeats + (isNew ? 1 : 0);
    return { ...rest, ...handed(isHanded ? delivery : { forward, isForwarding }), repeats };
  }
  if (known.id !== id) return known;
  const cameFirst = receivedAt < known.receivedAt && { receivedAt };
  return { ...rest, ...cameFirst, answered, ...(reason && { reason }), ...handed({ forward, ...delivery }) };
}

/** How much a delivery says of its run. */
function rank({ verdict, madeHere }: Pick<Delivery, 'verdict' | 'madeHere'>): number {
  if (verdict !== 'verified') return 0;
  return madeHere === true ? 1 : 2;
}

/** How far a delivery got in the handler. Of its response only the reason of a failure is kept with a run. */
function handed({
  forward,
  isForwarding,
}: { [Key in 'forward' | 'isForwarding']?: Delivery[Key] | undefined }) {
  const { answer, ...rest } = forward ?? {};
  const reason = answer && failureReason({ answer });
  return {
    ...(forward && { forward: { ...rest, ...(reason && { answer: reason }) } }),
    ...(isForwarding && { isForwarding }),
  } as Pick<Delivery, 'forward' | 'isForwarding'>;
}
