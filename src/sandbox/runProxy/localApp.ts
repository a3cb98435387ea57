import type { ClientRequest, IncomingMessage } from 'node:http';
import { faultHeader } from '../faults.ts';
import { requestAlone } from '../requestAlone.ts';
import { endToEndHeaders } from '../../model/service/endToEndHeaders.ts';
import { failureReason } from '../../model/service/failureReason.ts';
import { UserError } from '../../model/text/userError.ts';

/** The user's own app did not answer. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';

  constructor(url: URL, cause: Error) {
    const reason = failureReason(cause) ?? 'the connection was reset';
    super(`The app at ${url.origin} did not answer: ${reason}`, { cause });
  }
}

/** Headers that are meant for the service only, and are not passed to the app. */
const forTheService = ['authorization', 'host', 'x-webhook-secret', faultHeader];

/**
 * The request to the user's own app, with path and query exactly as the caller wrote them. An answer that is captured
 * for a webhook is asked for uncompressed: the webhook holds what the app said (service-interface.md, section 6).
 */
export function localRequest(
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
    ...(options.signal && { signal: options.signal }),
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
      reject(new UpstreamError(url, new UserError('it changes the protocol')));
    });
    outgoing.on('error', (error) => {
      request.unpipe(outgoing);
      request.resume();
      reject(new UpstreamError(url, error));
    });
    request.on('close', () => {
      if (!request.complete) outgoing.destroy();
    });
    request.pipe(outgoing);
  });
}
