import type { Remote } from './localTls.ts';
import { headerPairs } from '../shared/http/endToEndHeaders.ts';
import { isLoopback } from '../shared/http/loopback.ts';
import { missingAnswerText } from './forwardText.ts';
import type { Answer, Sent } from './listenerProtocol.ts';
import { t } from '../shared/text/l10n.ts';
import { UserError } from '../shared/text/userError.ts';
import type { KeptDelivery } from './keptDelivery.ts';
import { type Answered, networkReason, sendRequest, textOf } from './sendRequest.ts';
import { headersOf, sign, signedName, vendorOf } from '../service/signature/signature.ts';

/** How long a response is waited for by those who do not stand at a breakpoint: an agent, the sender of a test. */
export const impatientMs = 30_000;

export interface Sending {
  /** A clock in Unix milliseconds. */
  now: () => number;
  /** Aborts the request. */
  signal?: AbortSignal;
  /** Called once it is connected, before anything is sent. */
  onConnected?: (remote: Remote) => void;
  /** Whether any certificate counts where the connection stays on this machine. */
  acceptLocalCertificates?: boolean;
  /** How long the response may take. Without it, as long as it takes: the handler may stand at a breakpoint. */
  limitMs?: number | undefined;
}

/** The answer to a replay, and how long it took. */
export type Replayed = Answered & Sent;

/**
 * Replays a kept delivery, or a fixture, byte for byte.
 * @param secret signs it anew, with the current time; undefined sends it as it was
 * @throws UserError if nobody answers
 */
export function replay(
  delivery: Pick<KeptDelivery, 'method' | 'rawHeaders' | 'body'>,
  to: string,
  secret: string | undefined,
  sending: Sending,
): Promise<Replayed> {
  const { method, rawHeaders, body } = delivery;
  const headers = secret === undefined ? rawHeaders : resign(rawHeaders, body, secret, sending.now());
  return send(to, method, headers, body, sending);
}

/** The answer in the shape that callers of a replay get. */
export function answerOf({ status, durationMs, rawHeaders, body }: Replayed): Answer {
  return { status, durationMs, headers: headersOf(rawHeaders), body: textOf(body, rawHeaders) };
}

/**
 * Sends a test delivery in the form that the service uses (service-interface.md, section 6).
 * @param requestId becomes `X-Request-Id`
 */
export async function sendTest(
  to: string,
  body: string,
  secret: string | undefined,
  requestId: string,
  sending: Sending,
): Promise<Sent> {
  const bytes = Buffer.from(body);
  const headers = ['Content-Type', 'application/json', 'X-Request-Id', requestId];
  const signed = secret === undefined ? headers : resign(headers, bytes, secret, sending.now());
  const { status, durationMs } = await send(to, 'POST', signed, bytes, { limitMs: impatientMs, ...sending });
  return { status, durationMs };
}

/**
 * The headers with a new timestamp and signature, under the vendor name of the old ones: see {@link vendorOf}.
 * @param now the time to sign with, in Unix milliseconds
 */
export function resign(
  rawHeaders: readonly string[],
  body: Uint8Array,
  secret: string,
  now: number,
): string[] {
  const kept: string[] = [];
  // guard S8: A replay is signed under the name of the signature that was checked.
  const vendor = vendorOf(rawHeaders) ?? 'Service';
  const requestIds: string[] = [];
  for (const [name, value] of headerPairs(rawHeaders)) {
    if (signedName.test(name)) continue;
    if (name.toLowerCase() === 'x-request-id') {
      // A receiver gets it without white space around it.
      if (value.trim() === '') continue;
      requestIds.push(value.trim());
    }
    kept.push(name, value);
  }
  if (requestIds.length === 0) {
    requestIds.push(crypto.randomUUID());
    kept.push('X-Request-Id', ...requestIds);
  }
  // A receiver reads a header that came more than once as one.
  const requestId = requestIds.join(', ');
  const timestamp = Math.floor(now / 1000).toString();
  const signature = sign(secret, requestId, timestamp, body);
  return [
    ...kept,
    `X-${vendor}-Webhook-Timestamp`,
    timestamp,
    `X-${vendor}-Webhook-Signature`,
    `v1,${signature}`,
  ];
}

async function send(
  to: string,
  method: string,
  rawHeaders: readonly string[],
  body: Uint8Array,
  { signal: cancelled, onConnected, acceptLocalCertificates = false, limitMs }: Sending,
): Promise<Replayed> {
  const url = URL.parse(to);
  if (url === null) throw new UserError(t('"{0}" is not an http or https address.', to));
  const started = performance.now();
  try {
    const signal = AbortSignal.any([
      ...(limitMs === undefined ? [] : [AbortSignal.timeout(limitMs)]),
      ...(cancelled ? [cancelled] : []),
    ]);
    const answered = await sendRequest({
      url,
      method,
      rawHeaders,
      body,
      signal,
      acceptLocalCertificates,
      ...(onConnected && { onConnected }),
    });
    return { ...answered, durationMs: Math.round(performance.now() - started) };
  } catch (error) {
    if (cancelled?.aborted) throw new UserError(t('Cancelled.'));
    const sentence = t('Your handler at {0} {1}', url.host, missingAnswerText(networkReason(error)));
    throw new UserError(t('{0}.', sentence), {
      cause: error,
      remedies: isAcceptable(url, error)
        ? [{ kind: 'acceptLocalCertificates' }, { kind: 'tryAgain' }]
        : [{ kind: 'tryAgain' }, { kind: 'setForwardTo' }],
    });
  }
}

/** Whether a request failed by a certificate that the user may accept. */
function isAcceptable({ hostname }: URL, error: unknown): boolean {
  return isLoopback(hostname) && /CERT|UNABLE_TO_/.test(networkReason(error));
}
