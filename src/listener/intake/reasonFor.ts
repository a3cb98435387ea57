import type { ListenerSettings } from '../../model/processes/listenerProtocol.ts';
import { diagnoseRefused } from '../../webhooks/diagnosis/diagnosis.ts';
import { diagnosisText } from '../../webhooks/diagnosis/diagnosisText.ts';
import { headersOf } from '../../webhooks/signature/rawHeaders.ts';
import type { KeptDelivery } from '../../webhooks/deliveries/keptDelivery.ts';

/** Why a delivery did not verify, in a sentence; undefined where it did. */
export function reasonFor(
  delivery: KeptDelivery,
  { secrets, toleranceSeconds }: Pick<ListenerSettings, 'secrets' | 'toleranceSeconds'>,
): string | undefined {
  const { verdict, rawHeaders, body, receivedAt } = delivery;
  if (verdict === 'verified') return undefined;
  const evidence = {
    headers: headersOf(rawHeaders),
    body,
    secrets,
    clock: receivedAt / 1000,
    toleranceSeconds,
  };
  return diagnosisText(diagnoseRefused(verdict, evidence));
}
