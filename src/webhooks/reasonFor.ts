import type { WebhookSecrets } from '../model/listenerProtocol.ts';
import type { Translate } from '../model/translate.ts';
import { diagnose } from './diagnosis.ts';
import { diagnosisText } from './diagnosisText.ts';
import { headersOf } from './rawHeaders.ts';
import type { KeptDelivery } from './record.ts';

/** The secrets that verify what arrives at a time (Unix milliseconds): the current one, and the one before it for a while. */
export function verifyingSecrets({ current, previous }: WebhookSecrets, at: number): string[] {
  const secrets = current === undefined ? [] : [current];
  return previous !== undefined && previous.until > at ? [...secrets, previous.secret] : secrets;
}

/** Why a delivery did not verify, in a sentence; undefined where it did. */
export function reasonFor(
  delivery: KeptDelivery,
  { secrets, toleranceSeconds }: { secrets: WebhookSecrets; toleranceSeconds: number },
  t: Translate,
): string | undefined {
  const { verdict, rawHeaders, body, receivedAt } = delivery;
  if (verdict === 'verified') return undefined;
  const verifying = verifyingSecrets(secrets, receivedAt);
  const { previous, retired = [] } = secrets;
  const known = previous === undefined ? retired : [previous.secret, ...retired];
  const diagnosis = diagnose({
    headers: headersOf(rawHeaders),
    body,
    secrets: verifying,
    retired: known.filter((secret) => !verifying.includes(secret)),
    clock: receivedAt / 1000,
    toleranceSeconds,
  });
  return diagnosisText(diagnosis, t);
}
