import { sign } from '../signature/signature.ts';

/** A request such as the service sends it, made to show what happens to it on the way. */
export interface Probe {
  /** By which the listener knows it, wherever in the request it survives. */
  nonce: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * @param nonce of this probe alone
 * @param now Unix milliseconds
 */
export function makeProbe(nonce: string, secret: string, now: number): Probe {
  const requestId = `runhook-probe-${nonce}`;
  const timestamp = String(Math.floor(now / 1000));
  // Whoever parses and writes it anew changes a byte: spaces, an escape, a fraction, a newline at the end.
  const text = `{"runhook_probe": "${nonce}",  "text": "\\u00e9 \\/ é", "number": 1.0}\n`;
  const body = new TextEncoder().encode(text);
  return {
    nonce,
    body,
    headers: {
      'content-type': 'application/json',
      'x-request-id': requestId,
      'x-service-webhook-timestamp': timestamp,
      'x-service-webhook-signature': `v1,${sign(secret, requestId, timestamp, body)}`,
    },
  };
}
