import { createHmac, timingSafeEqual } from 'node:crypto';

type Header = (name: string) => string | null | undefined;

/**
 * Takes a webhook, and returns the status to respond with:
 * - 200: it is done, now or when it came before.
 * - 401: it is not signed, its signature is wrong, or it is too old.
 * - 404: it could not be done for now. The service sends a webhook again after a 404 or a network error, and
 *   never after another 4xx or a 5xx: a 500 would lose it.
 * @param header gives a header by its name
 * @param rawBody the bytes as received, before any parser; undefined if something has read them before
 */
export async function receiveWebhook(
  header: Header,
  rawBody: Uint8Array | undefined,
  secret: string,
  handleDelivery: (body: unknown) => Promise<void>,
): Promise<200 | 401 | 404> {
  if (!ArrayBuffer.isView(rawBody)) {
    // Not 401, after which the service would not send it again: it may be genuine.
    console.error(
      'This webhook cannot be verified. Something has read its body before, and it is signed as the bytes that were ' +
        'sent. Put its route above what reads bodies, such as express.json(); ' +
        'with Request and Response, let the other code read request.clone().',
    );
    return 404;
  }
  if (!verifyWebhook(header, rawBody, secret)) return 401;
  try {
    await once(header('x-request-id') ?? '', () => handleDelivery(parseBody(rawBody)));
    return 200;
  } catch (error) {
    console.error(error);
    return 404;
  }
}

/** An older webhook is rejected, so that nobody can send a recorded one again. */
const toleranceSeconds = 300;

/** Whether a webhook is genuine and unaltered. */
export function verifyWebhook(
  header: Header,
  rawBody: Uint8Array,
  secret: string,
  nowSeconds = Date.now() / 1000,
): boolean {
  const requestId = header('x-request-id');
  const timestamp = header('x-service-webhook-timestamp');
  const signature = /^v1,([0-9a-f]{64})$/.exec(header('x-service-webhook-signature') ?? '')?.[1];
  if (!requestId || !timestamp || !signature || !/^[1-9][0-9]{0,12}$/.test(timestamp)) return false;
  if (Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) return false;
  const expected = createHmac('sha256', secret)
    .update(`${requestId}.${timestamp}.`, 'latin1')
    .update(rawBody)
    .digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

/** The value of its JSON, or its text: what is no JSON now would be none the next time either. */
function parseBody(rawBody: Uint8Array): unknown {
  const text = new TextDecoder().decode(rawBody);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** How many request ids are remembered. */
const mostDone = 10_000;
const running = new Map<string, Promise<unknown>>();
const done = new Set<string>();

/**
 * Does the work for a request id once, as the service may send a webhook again that was done already. A
 * repeat waits for the one before it, and does the work where that one failed. This is the memory of one
 * process: where it restarts or there are several, keep the ids in a database, in the work's transaction.
 */
async function once(requestId: string, work: () => Promise<void>): Promise<void> {
  while (running.has(requestId)) await running.get(requestId);
  if (done.has(requestId)) return;
  const attempt = Promise.resolve().then(work);
  running.set(
    requestId,
    attempt.catch(() => undefined),
  );
  try {
    await attempt;
    done.add(requestId);
    const [oldest] = done;
    if (oldest !== undefined && done.size > mostDone) done.delete(oldest);
  } finally {
    running.delete(requestId);
  }
}
