import { createHmac, timingSafeEqual } from 'node:crypto';

/** An older delivery is refused, so that nobody can send a recorded one again. */
const toleranceSeconds = 300;

/**
 * Whether a webhook is genuine and unaltered.
 * @param header gives a header by its name
 * @param rawBody the bytes as received, before any parser
 */
export function verifyWebhook(
  header: (name: string) => string | null | undefined,
  rawBody: Uint8Array,
  secret: string,
  nowSeconds = Date.now() / 1000,
): boolean {
  const requestId = header('x-request-id');
  const timestamp = header('x-service-webhook-timestamp');
  const signature = /^v1,([0-9a-f]{64})$/i.exec(header('x-service-webhook-signature') ?? '')?.[1];
  if (!requestId || !timestamp || !signature || !/^\d+(\.\d+)?$/.test(timestamp)) return false;
  if (Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) return false;
  const expected = createHmac('sha256', secret)
    .update(`${requestId}.${timestamp}.`, 'latin1')
    .update(rawBody)
    .digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}
