import { type Clock, delay } from '../../model/processes/clock.ts';
import type { SandboxFault } from '../../model/service/sandboxFault.ts';
import { spoilByte, spoilDigit, staleSeconds } from '../../webhooks/signature/signature.ts';
import { parts, type WebhookRequest } from './postWebhook.ts';

const slowMs = 5000;

/** The timestamp to sign a webhook with, in Unix seconds. @param now Unix milliseconds */
export function signingTime(now: number, faults: ReadonlySet<SandboxFault>): number {
  return Math.floor(now / 1000) - (faults.has('stale-timestamp') ? staleSeconds : 0);
}

/** The value of the signature header. @param signature its digits */
export function signatureHeader(signature: string, faults: ReadonlySet<SandboxFault>): string {
  return `v1,${faults.has('bad-signature') ? spoilDigit(signature) : signature}`;
}

/** Applies the faults that come after signing: to the body, and to how it is sent. */
export function spoiledBody(
  body: Uint8Array,
  faults: ReadonlySet<SandboxFault>,
  clock: Clock,
  signal: AbortSignal,
): Pick<WebhookRequest, 'body' | 'pace'> {
  const sent = faults.has('body-changed') ? spoilByte(body) : body;
  if (faults.has('hang')) return { body: sent, pace: { kind: 'half' } };
  if (!faults.has('slow')) return { body: sent, pace: { kind: 'atOnce' } };
  return { body: sent, pace: { kind: 'parts', pause: () => delay(clock, slowMs / parts, signal) } };
}
