import { subscribe } from 'node:diagnostics_channel';
import { waitText } from '../../shared/text/durationText.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { type Remedy, UserError } from '../../shared/text/userError.ts';
import { UnreachableError } from './errors.ts';
import type { Transport, TransportRequest } from './transport.ts';
import { causes, causeCode, connectionFailure, otherSideText } from '../../shared/http/failureReason.ts';
import type { RequestUrl } from '../endpoints.ts';

/** The longest time that a timer can hold, in milliseconds. */
const longestMs = 2 ** 31 - 1;

/**
 * A transport with a time limit: head and body of an answer have `timeoutMs` together, so that an answer that
 * trickles in does not take forever. It also turns failures into errors with a message for the user.
 * @param send sends the request and obeys the signal; its errors are those of Node or undici
 */
export function withTimeLimit(
  send: (request: TransportRequest & { signal: AbortSignal }) => ReturnType<Transport>,
): Transport {
  return async (request) => {
    const { url, timeoutMs = longestMs, signal: cancelled } = request;
    cancelled?.throwIfAborted();
    // guard S94: An answer has limits of size and of time.
    const limit = AbortSignal.timeout(Math.min(Math.round(timeoutMs), longestMs));
    const fail = (error: unknown): unknown => {
      if (error instanceof UserError) return error;
      if (cancelled?.aborted === true) return cancelled.reason;
      if (!limit.aborted) return unreachable(url, error, failedHost(error));
      const message = t('The service at {0} did not respond within {1} seconds.', url.host, timeoutMs / 1000);
      const short = t('silent for {0}', waitText(timeoutMs));
      const inRow = serviceText('TimeoutError');
      return new UnreachableError(message, { passing: true, short, inRow, wasSent: true, isTimeout: true });
    };
    try {
      const signal = AbortSignal.any([limit, ...(cancelled ? [cancelled] : [])]);
      const response = await send({ ...request, signal });
      return { ...response, body: pieces(response.body, fail) };
    } catch (error) {
      throw fail(error);
    }
  };
}

async function* pieces(
  body: AsyncIterable<Uint8Array>,
  fail: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw fail(error);
  }
}

/** The message that undici, and so `fetch`, publishes for a connection that could not be made. */
interface ConnectError {
  error: unknown;
  connectParams: { host: string };
}

const hosts = new WeakMap<object, string>();

subscribe('undici:client:connectError', (message) => {
  const { error, connectParams } = message as ConnectError;
  // A failure to reach a proxy is reported first for the proxy, then again for the host behind it.
  if (error instanceof Error && !hosts.has(error)) hosts.set(error, connectParams.host);
});

/** The host, and the port if it has one, that a connection could not be made to; undefined for other failures. */
function failedHost(error: unknown): string | undefined {
  for (const one of causes(error)) {
    const host = hosts.get(one);
    if (host !== undefined) return host;
  }
  return undefined;
}

/**
 * Turns a failed connection into an error with a message for the user. Its cause is the original error.
 * @param failedHost the host that no connection could be made to; if it is not the host of the address, it is a proxy.
 * Absent: one was made, and broke off
 */
export function unreachable(url: RequestUrl, error: unknown, failedHost?: string): UnreachableError {
  const code = causeCode(error);
  const refusal = /^Proxy response \((\d{3})\)/.exec([...causes(error)].at(-1)?.message ?? '')?.[1];
  if (refusal !== undefined) return refusedByProxy(url, Number(refusal), error);
  const passing = !/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|INVALID/.test(code);
  const short = connectionFailure(error);
  const inRow = serviceText(code) ?? short;
  if (failedHost === undefined) {
    const message = t('The request to {0} failed: {1}.', url.host, short);
    return new UnreachableError(message, { cause: error, passing, short, inRow, wasSent: true });
  }
  if (failedHost === url.host) {
    const why = t('The service at {0} could not be reached: {1}.', url.host, short);
    const isUntrusted = /SELF_SIGNED|UNABLE_TO_|CERT_UNTRUSTED/.test(code);
    const next = isUntrusted ? t('Add it to the certificates that this system trusts.') : undefined;
    return new UnreachableError(sentences(why, next), { cause: error, passing, short, inRow });
  }
  return new UnreachableError(
    t(
      'The proxy {0} could not be reached: {1}. It is set by "http.proxy" or by the environment.',
      failedHost,
      short,
    ),
    { cause: error, passing, short: t('proxy: {0}', short), remedies: proxyRemedies(passing) },
  );
}

/** What a code says of the service, for a row. */
function serviceText(code: string): string | undefined {
  const said = otherSideText(code, true);
  return said && t('service {0}', said);
}

/** The proxy was reached, but does not connect to the service. undici gives its status only in the message. */
function refusedByProxy(url: RequestUrl, status: number, cause: unknown): UnreachableError {
  const reason =
    status === 407
      ? t(
          'The proxy requires authentication (407). Put the user name and the password into "http.proxy", or set "http.proxyAuthorization".',
        )
      : t(
          'The proxy did not connect to {0}: it returned {1}. The proxy is set by "http.proxy" or by the environment.',
          url.host,
          status,
        );
  return new UnreachableError(reason, {
    cause,
    passing: status >= 500,
    short: t('the proxy returned {0}', status),
    remedies: proxyRemedies(status >= 500),
  });
}

function proxyRemedies(passing: boolean): Remedy[] {
  const ids = ['http.proxy', 'http.proxyAuthorization', 'http.noProxy', 'http.proxySupport'];
  return [...(passing ? [{ kind: 'tryAgain' } as const] : []), { kind: 'openEditorSettings', ids }];
}

/** The proxy has no address that can be used. It is not named: it may contain a password. */
export function unusableProxy(cause: unknown): UnreachableError {
  const short = t('proxy: no http address');
  const message = t(
    'The address of the proxy does not begin with http:// or https://. It is set by "http.proxy" or by the environment.',
  );
  return new UnreachableError(message, { cause, passing: false, short, remedies: proxyRemedies(false) });
}
