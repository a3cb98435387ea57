import type { Delivery } from '../../model/deliveries/delivery.ts';
import type { HeldSecret } from '../../model/secrets/webhookSecret.ts';
import type { Evidence } from '../diagnosis/diagnosis.ts';
import type { About } from './explanation.ts';

/** What a thread is to explain. The body is text or base64, as the editor has it, since decoding it takes time. */
export interface ExplanationWork extends Omit<Evidence, 'body' | 'effort'> {
  body: string;
  bodyEncoding?: 'base64';
  about?: About;
  /** The translations, as `vscode.l10n.bundle` has them. */
  messages: Record<string, string>;
}

/** The `workerData` of the thread. */
export interface ThreadWork extends ExplanationWork {
  /** How long the cause is searched for, in milliseconds. */
  searchMs: number;
}

/** The evidence for explaining a kept delivery, as of its arrival. */
export function evidenceOf(
  { headers, body, bodyEncoding, receivedAt }: Delivery,
  secrets: readonly HeldSecret[],
  toleranceSeconds: number,
): Omit<ExplanationWork, 'messages'> {
  const clock = Date.parse(receivedAt) / 1000;
  return { headers, body, ...(bodyEncoding && { bodyEncoding }), secrets, clock, toleranceSeconds };
}
