import type { ListenerSettings } from '../model/listenerProtocol.ts';
import type { Translate } from '../model/translate.ts';
import type { DeliveryStore } from './deliveryStore.ts';
import { diagnose } from './diagnosis.ts';
import { diagnosisText } from './diagnosisText.ts';
import { headersOf } from './record.ts';

/** Finds out why a delivery did not verify, and keeps the sentence that says it. */
export function noteReason(store: DeliveryStore, id: string, settings: ListenerSettings, t: Translate): void {
  if (!store.has(id)) return;
  const { verdict, rawHeaders, body, receivedAt } = store.kept(id);
  if (verdict === 'verified') return;
  const { current, previous, retired = [] } = settings.secrets;
  const stillVerifies = previous !== undefined && previous.until > receivedAt;
  const diagnosis = diagnose({
    headers: headersOf(rawHeaders),
    body,
    secrets: [...(current === undefined ? [] : [current]), ...(stillVerifies ? [previous.secret] : [])],
    retired: [...(previous === undefined || stillVerifies ? [] : [previous.secret]), ...retired],
    clock: receivedAt / 1000,
    toleranceSeconds: settings.toleranceSeconds,
  });
  const reason = diagnosisText(diagnosis, t);
  if (reason !== undefined) store.note({ id, reason });
}
