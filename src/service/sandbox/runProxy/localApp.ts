import { type ClientRequest, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { endToEndHeaders, headerPairs } from '../../../shared/http/endToEndHeaders.ts';
import { connectionFailure } from '../../../shared/http/failureReason.ts';
import { faultHeader } from '../faults.ts';
import type { Refusal } from '../refusal.ts';
import { requestAlone } from '../webhook/postWebhook.ts';

/** The user's own app did not respond. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';

  /** @param what follows its address: what it did */
  constructor(url: URL, what: string, cause?: Error) {
    super(`The app at ${url.origin} ${what}`, { cause });
  }
}

function notReached(url: URL, error: Error): UpstreamError {
  const what = `did not respond: ${connectionFailure(error)}. Check that it runs, and its address.`;
  return new UpstreamError(url, what, error);
}

/** Headers that are meant for the service only, and are not passed to the app. */
const forTheService = ['authorization', 'host', 'x-webhook-secret', faultHeader];

/**
 * The request to the user's own app, with path and query exactly as the caller wrote them. An answer that is captured
 * for a webhook is asked for uncompressed: the webhook holds what the app said (service-interface.md, section 6).
 */
function localRequest(
  url: URL,
  request: IncomingMessage,
  target: string,
  options: { upgrade?: true; isCaptured?: boolean; signal?: AbortSignal },
): ClientRequest {
  const { isCaptured = false } = options;
  const left = isCaptured ? [...forTheService, 'accept-encoding'] : forTheService;
  const headers = endToEndHeaders(request.rawHeaders, left);
  if (isCaptured) headers.push('Accept-Encoding', 'identity');
  headers.push('Host', url.host, ...framing(request));
  if (options.upgrade) headers.push('Connection', 'Upgrade', 'Upgrade', request.headers.upgrade ?? '');
  return requestAlone(url, {
    path: `${url.pathname.replace(/\/+$/, '')}${target}`,
    method: request.method,
    headers,
    signal: options.signal,
  });
}

/** The headers that delimit the body. Node would choose by method, which does not say whether there is a body. */
function framing({ method = '', headers }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked'];
  const isEmpty = headers['content-length'] === undefined && ['POST', 'PUT', 'PATCH'].includes(method);
  return isEmpty ? ['Content-Length', '0'] : [];
}

/**
 * Calls the user's own app, and streams the body of the call to it.
 * @param target path and query
 * @throws UpstreamError
 */
export function callLocalApp(
  url: URL,
  request: IncomingMessage,
  target: string,
  options: { isCaptured: boolean; signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = localRequest(url, request, target, options);
    outgoing.on('response', resolve);
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new UpstreamError(url, 'changed the protocol instead of responding.'));
    });
    outgoing.on('error', (error) => {
      request.unpipe(outgoing);
      request.resume();
      reject(notReached(url, error));
    });
    request.on('close', () => {
      if (!request.complete) outgoing.destroy();
    });
    request.pipe(outgoing);
  });
}

/**
 * Passes a websocket connection on to the user's own app, then relays bytes both ways. Such a connection is never
 * forwarded to a webhook (service-interface.md, section 4.3).
 * @throws UpstreamError
 */
export function passUpgrade(
  url: URL,
  request: IncomingMessage,
  target: string,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = localRequest(url, request, target, { upgrade: true });
    socket.on('close', () => outgoing.destroy());
    outgoing.on('error', (error) => reject(notReached(url, error)));
    outgoing.on('upgrade', (answer, appSocket, appHead) => {
      socket.write(headOf(answer), 'latin1');
      socket.write(appHead);
      appSocket.write(head);
      relay(socket, appSocket);
      resolve();
    });
    outgoing.on('response', (answer) => {
      // The app declined. Its answer is returned unchanged, and closing the connection ends the body.
      socket.write(headOf(answer, 'Connection: close'), 'latin1');
      answer.on('error', () => socket.destroy()).pipe(socket);
      resolve();
    });
    outgoing.end();
  });
}

/** Writes a refusal to a connection that has no response object. */
export function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const body = JSON.stringify({ message: refusal.message });
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body).toString(),
    Connection: 'close',
    ...refusal.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([statusLine(refusal.status), ...lines, '', body].join('\r\n'));
}

function statusLine(status: number, text = STATUS_CODES[status] ?? ''): string {
  return `HTTP/1.1 ${status} ${text}`;
}

/**
 * The head of the app's answer, one character per byte.
 * @param instead a header line for the connection, which replaces the app's hop-by-hop headers
 */
function headOf(answer: IncomingMessage, instead?: string): string {
  const headers = instead === undefined ? answer.rawHeaders : endToEndHeaders(answer.rawHeaders);
  const lines = headerPairs(headers).map(([name, value]) => `${name}: ${value}`);
  const all = instead === undefined ? lines : [...lines, instead];
  return [statusLine(answer.statusCode ?? 502, answer.statusMessage), ...all, '', ''].join('\r\n');
}

function relay(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}
