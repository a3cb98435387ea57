import type { ReceivedProbe } from '../../deliveries/listenerProtocol.ts';
import { causeCode, failureReason } from '../../shared/http/failureReason.ts';
import { isRedirect } from '../../shared/http/isRedirect.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentence } from '../../shared/text/sentences.ts';
import { UnreachableError } from '../../service/client/errors.ts';
import { resign } from '../../deliveries/replay.ts';
import { headersOf } from '../../service/signature/signature.ts';

/** The hops of a webhook on its way to the listener, in order. */
type HopName = 'address' | 'connection' | 'listener' | 'path' | 'requestId' | 'body' | 'signature' | 'clock';

/** The result at one hop. */
interface Hop {
  hop: HopName;
  ok: boolean;
  /** A sentence for the user. */
  detail: string;
}

/** What the check of the public address found. Hops behind one that lets nothing through are left out. */
export interface PublicUrlCheck {
  ok: boolean;
  hops: Hop[];
}

/** Where the public address comes from. A relay takes the probe and hands it on; a tunnel is one that Runhook opened. */
export type UrlSource = 'relay' | 'tunnel' | 'settings';

/** A clock that is off by more than this, in seconds, is reported; less is due to latency and rounding. */
const clockSlackSeconds = 5;

/** A request in the form that the service uses, made so that any change on the way shows. */
interface Probe {
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Sends one request, once; any status is an answer. */
type SendProbe = (
  request: Probe & { method: 'POST'; url: URL; timeoutMs: number; signal?: AbortSignal },
) => Promise<ProbeAnswer>;

interface ProbeAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
}

interface PublicUrlCheckParts {
  transport: SendProbe;
  /** Tells the listener to look out for a probe. */
  expect: (nonce: string) => Promise<void>;
  /** The probe as it arrived at the listener; undefined if it did not. @param isSent whether it may still come */
  collect: (nonce: string, isSent: boolean) => Promise<ReceivedProbe | undefined>;
  secret: string;
  nonce: string;
  /** Unix milliseconds. */
  now: () => number;
  timeoutMs: number;
  source: UrlSource;
  /** Cancels the check, which then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Sends a signed probe to the public address and reports, hop by hop, what happened to it. */
export async function checkPublicUrl(publicUrl: URL, parts: PublicUrlCheckParts): Promise<PublicUrlCheck> {
  const hops = await findHops(publicUrl, parts);
  return { ok: hops.every(({ ok }) => ok), hops };
}

async function findHops(url: URL, parts: PublicUrlCheckParts): Promise<Hop[]> {
  const { transport, expect, collect, secret, nonce, now, timeoutMs, signal, source } = parts;
  const isRelay = source === 'relay';
  const probe = makeProbe(nonce, secret, now());
  await expect(nonce);
  const sentAt = now();
  let answer: ProbeAnswer;
  try {
    answer = await transport({ ...probe, method: 'POST', url, timeoutMs, signal });
  } catch (error) {
    await collect(nonce, false);
    signal?.throwIfAborted();
    return isRelay ? unanswered(url, error) : unreached(url, error, source);
  }
  const middle = (sentAt + now()) / 2;
  // The body is not needed; ending the iterator frees the connection.
  await answer.body[Symbol.asyncIterator]().return?.();
  const received = await collect(nonce, true);
  const reached: Hop[] = [
    { hop: 'address', ok: true, detail: t('{0} is found.', url.hostname) },
    { hop: 'connection', ok: true, detail: t('{0} responds.', url.host) },
  ];
  if (received === undefined) {
    const detail = isRelay ? atRelay(url, answer) : anotherProgram(url, answer);
    return [...reached, { hop: 'listener', ok: false, detail }];
  }
  return [
    ...reached,
    {
      hop: 'listener',
      ok: true,
      detail: isRelay ? t('The probe reached the listener via relay.') : t('The probe reached the listener.'),
    },
    ...comparedHops(url, probe, received),
    clockHop(answer.headers['date'], middle),
  ];
}

const nameNotFound = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA']);

function unreached(url: URL, error: unknown, source: UrlSource): Hop[] {
  if (nameNotFound.has(causeCode(error))) {
    const detail =
      source === 'tunnel'
        ? t('The host name {0} was not found. A new tunnel may take a minute to be known.', url.hostname)
        : t('The host name {0} was not found. Is the tunnel open?', url.hostname);
    return [{ hop: 'address', ok: false, detail }];
  }
  const reason = error instanceof UnreachableError ? error.short : failureReason(error);
  if (reason === undefined) throw error;
  const detail =
    source === 'relay'
      ? t('The relay {0} is not available: {1}', url.host, reason)
      : t('No response from {0}: {1}', url.host, reason);
  return [
    { hop: 'address', ok: true, detail: t('{0} is found.', url.hostname) },
    { hop: 'connection', ok: false, detail: sentence(detail) },
  ];
}

/** A relay gives no answer where it cannot keep what it gets: the service tries again then. */
function unanswered(url: URL, error: unknown): Hop[] {
  const wasClosed = ['UND_ERR_SOCKET', 'ECONNRESET'].includes(causeCode(error));
  if (!wasClosed) return unreached(url, error, 'relay');
  const detail = t(
    'The relay received the probe but did not respond: its engine cannot be reached, or too many deliveries wait.',
  );
  return [
    { hop: 'address', ok: true, detail: t('{0} is found.', url.hostname) },
    { hop: 'connection', ok: false, detail },
  ];
}

/** Why a probe that the relay has answered did not arrive. */
function atRelay(url: URL, answer: ProbeAnswer): string {
  switch (answer.status) {
    case 200:
      return t('The relay accepted the probe, but the listener did not get it. It waits there.');
    case 404:
      return t('The relay does not know the address. Close the tunnel, and open it again.');
    default:
      return anotherProgram(url, answer);
  }
}

function anotherProgram(url: URL, { status, headers }: ProbeAnswer): string {
  const { location, server } = headers;
  if (isRedirect(status) && location !== undefined) {
    return t('{0} redirects to {1}, but webhooks do not follow redirects.', url.host, plain(location));
  }
  // Only what stands in between says so: the listener never does.
  if (status >= 502 && status <= 504)
    return t(
      '{0} returned {1}: it did not reach the listener. Check where it forwards to.',
      url.host,
      status,
    );
  return server === undefined
    ? t('Another program responds at {0}, with {1}.', url.host, status)
    : t('Another program responds at {0}, with {1} ({2}).', url.host, status, plain(server));
}

/** Makes untrusted text safe to show within a sentence. */
function plain(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '').slice(0, 80);
}

/** @param middle when the answer was made, by this machine's clock, in Unix milliseconds */
function clockHop(date: string | undefined, middle: number): Hop {
  const theirs = date === undefined ? NaN : Date.parse(date);
  if (Number.isNaN(theirs)) {
    return {
      hop: 'clock',
      ok: true,
      detail: t('The response has no Date header, so the clock could not be checked.'),
    };
  }
  const seconds = Math.round((middle - theirs) / 1000);
  const off = Math.abs(seconds);
  if (off <= clockSlackSeconds)
    return { hop: 'clock', ok: true, detail: t('The clock of this machine is correct.') };
  const detail =
    seconds > 0
      ? t('The clock of this machine is {0} seconds ahead.', off)
      : t('The clock of this machine is {0} seconds behind.', off);
  return { hop: 'clock', ok: false, detail };
}

/**
 * @param nonce unique to this probe: the listener recognises the probe by it, wherever in the request it survives
 * @param now Unix milliseconds
 */
function makeProbe(nonce: string, secret: string, now: number): Probe {
  // Anything that parses and re-serialises this changes a byte: spaces, an escape, a fraction, a newline at the end.
  const text = `{"runhook_probe": "${nonce}",  "text": "\\u00e9 \\/ é", "number": 1.0}\n`;
  const body = new TextEncoder().encode(text);
  const headers = ['Content-Type', 'application/json', 'X-Request-Id', `runhook-probe-${nonce}`];
  return { body, headers: headersOf(resign(headers, body, secret, now)) };
}

/** What happened to a probe on the way: compares what was sent with what arrived. */
function comparedHops(sentTo: URL, sent: Probe, received: ReceivedProbe): Hop[] {
  return [
    pathHop(`${sentTo.pathname}${sentTo.search}`, received.path),
    requestIdHop(sent.headers['x-request-id'] ?? '', received.headers['x-request-id']),
    bodyHop(sent.body, Buffer.from(received.body, 'base64')),
    signatureHop(sent, received),
  ];
}

function signatureHop(sent: Probe, { verdict, headers }: ReceivedProbe): Hop {
  if (verdict === 'verified') return { hop: 'signature', ok: true, detail: t('The signature verifies.') };
  const lost = Object.keys(sent.headers).find(
    (name) => name.startsWith('x-') && headers[name] !== sent.headers[name],
  );
  // Its own hop says so of the request id.
  const detail =
    lost === undefined || lost === 'x-request-id'
      ? t('The signature does not verify: {0}.', verdict)
      : lostHeaderText(lost, headers[lost]);
  return { hop: 'signature', ok: false, detail };
}

/** The listener takes every path, so a prefix that a reverse proxy takes away does no harm. */
function pathHop(sent: string, received: string): Hop {
  if (received === sent) return { hop: 'path', ok: true, detail: t('The path is unchanged.') };
  const detail = t('The path was changed on the way: {0} became {1}.', sent, received);
  return { hop: 'path', ok: sent.endsWith(received), detail };
}

function requestIdHop(sent: string, received: string | undefined): Hop {
  if (received === sent) return { hop: 'requestId', ok: true, detail: t('The request id is unchanged.') };
  return { hop: 'requestId', ok: false, detail: lostHeaderText('X-Request-Id', received) };
}

/** @param received its value at the listener, which is not the one that was sent */
function lostHeaderText(name: string, received: string | undefined): string {
  return received === undefined
    ? t('The header {0} was removed on the way: no signature can verify.', name)
    : t('The header {0} was rewritten on the way: no signature can verify.', name);
}

function bodyHop(sent: Uint8Array, received: Uint8Array): Hop {
  if (Buffer.compare(sent, received) === 0) {
    return { hop: 'body', ok: true, detail: t('The body is unchanged.') };
  }
  const detail = t(
    'The body was changed on the way ({0} bytes became {1}): no signature can verify.',
    sent.length,
    received.length,
  );
  return { hop: 'body', ok: false, detail };
}
