import type { Delivery } from '../../model/deliveries/delivery.ts';
import type { HeldSecret } from '../../model/secrets/webhookSecret.ts';
import type { ExplanationWork } from '../explanation/explanationThread.ts';

/** A kept delivery as it was to be verified when it arrived. */
export function evidenceOf(
  { headers, body, bodyEncoding, receivedAt }: Delivery,
  secrets: readonly HeldSecret[],
  toleranceSeconds: number,
): Pick<ExplanationWork, 'headers' | 'body' | 'bodyEncoding' | 'secrets' | 'clock' | 'toleranceSeconds'> {
  const clock = Date.parse(receivedAt) / 1000;
  return { headers, body, ...(bodyEncoding && { bodyEncoding }), secrets, clock, toleranceSeconds };
}
