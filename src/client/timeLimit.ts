import { t } from '../model/text/l10n.ts';
import { UserError } from '../model/text/userError.ts';
import { UnreachableError } from './errors.ts';
import { unreachable } from './unreachable.ts';
import { failedHost } from './failedHost.ts';
import type { Transport, TransportRequest } from './transport.ts';

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
    // guard: an answer has limits of size and of time
    const limit = AbortSignal.timeout(Math.min(Math.round(timeoutMs), longestMs));
    const fail = (error: unknown): unknown => {
      if (error instanceof UserError) return error;
      if (cancelled?.aborted === true) return cancelled.reason;
      if (!limit.aborted) return unreachable(url, error, failedHost(error));
      const message = t('{0} did not answer within {1} seconds.', url.host, timeoutMs / 1000);
      return new UnreachableError(message, { passing: true });
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
