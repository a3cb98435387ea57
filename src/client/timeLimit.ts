import { UserError } from '../model/text/userError.ts';
import { timedOut, unreachable } from './unreachable.ts';
import { failedHost } from './failedHost.ts';
import type { Transport, TransportRequest } from './transport.ts';

/**
 * A transport that keeps time: the head of an answer and its body have `timeoutMs` together, so that one that
 * comes in drops does not take for ever. Also gives failures their words.
 * @param send sends the request and obeys the signal; its errors are those of Node or undici
 */
export function withTimeLimit(
  send: (request: TransportRequest & { signal: AbortSignal }) => ReturnType<Transport>,
): Transport {
  return async (request) => {
    request.signal?.throwIfAborted();
    const limit = new TimeLimit(request);
    const fail = (error: unknown): unknown => {
      limit.stop();
      if (error instanceof UserError) return error;
      if (request.signal?.aborted === true) return request.signal.reason;
      if (limit.ranOut) return timedOut(request.url, request.timeoutMs ?? 0);
      return unreachable(request.url, error, failedHost(error));
    };
    try {
      const response = await send({ ...request, signal: limit.signal });
      return { ...response, body: pieces(response.body, limit, fail) };
    } catch (error) {
      throw fail(error);
    }
  };
}

async function* pieces(
  body: AsyncIterable<Uint8Array>,
  limit: TimeLimit,
  fail: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  let finished = false;
  try {
    for (;;) {
      const next = await iterator.next();
      if (next.done === true) break;
      yield next.value;
    }
    finished = true;
  } catch (error) {
    finished = true;
    throw fail(error);
  } finally {
    limit.stop();
    if (!finished) await iterator.return?.();
  }
}

/** One request's time: aborts its signal when that is over. */
class TimeLimit {
  readonly #timeLimit = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly signal: AbortSignal;

  constructor({ timeoutMs, signal }: TransportRequest) {
    this.signal = AbortSignal.any([this.#timeLimit.signal, ...(signal ? [signal] : [])]);
    // guard: an answer has limits of size and of time
    if (timeoutMs === undefined) return;
    this.#timer = setTimeout(() => this.#timeLimit.abort(), timeoutMs);
    // Nobody waits for the time of an answer that nobody reads.
    this.#timer.unref();
  }

  get ranOut(): boolean {
    return this.#timeLimit.signal.aborted;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
