import type { Translate } from '../model/translate.ts';
import { timedOut, unreachable } from './errors.ts';
import type { Transport, TransportRequest } from './transport.ts';

/**
 * A transport that keeps time: the head of an answer has `timeoutMs`, and so has each piece of its body,
 * so that a stream may take as long as it likes while it flows. Also gives failures their words.
 * @param send sends the request and obeys the signal; its errors are those of Node or undici
 */
export function withTimeLimit(
  send: (request: TransportRequest & { signal: AbortSignal }) => ReturnType<Transport>,
  t: Translate,
): Transport {
  return async (request) => {
    const clock = new Clock(request);
    const fail = (error: unknown): unknown => {
      if (request.signal?.aborted === true) return request.signal.reason;
      if (clock.ranOut) return timedOut(request.url, request.timeoutMs ?? 0, t);
      return unreachable(request.url, error, t);
    };
    request.signal?.throwIfAborted();
    try {
      const response = await clock.limit(send({ ...request, signal: clock.signal }));
      return { ...response, body: pieces(response.body, clock, fail) };
    } catch (error) {
      throw fail(error);
    }
  };
}

async function* pieces(
  body: AsyncIterable<Uint8Array>,
  clock: Clock,
  fail: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  let finished = false;
  try {
    for (;;) {
      const next = await clock.limit(iterator.next());
      if (next.done === true) break;
      yield next.value;
    }
    finished = true;
  } catch (error) {
    finished = true;
    throw fail(error);
  } finally {
    if (!finished) await iterator.return?.();
  }
}

/** One request's time: aborts its signal when a limited wait takes too long. */
class Clock {
  readonly #timeLimit = new AbortController();
  readonly #timeoutMs: number | undefined;
  readonly signal: AbortSignal;

  constructor(request: TransportRequest) {
    this.#timeoutMs = request.timeoutMs;
    const signals = [this.#timeLimit.signal, ...(request.signal ? [request.signal] : [])];
    this.signal = AbortSignal.any(signals);
  }

  get ranOut(): boolean {
    return this.#timeLimit.signal.aborted;
  }

  async limit<T>(wait: Promise<T>): Promise<T> {
    if (this.#timeoutMs === undefined) return wait;
    const timer = setTimeout(() => this.#timeLimit.abort(), this.#timeoutMs);
    try {
      return await wait;
    } finally {
      clearTimeout(timer);
    }
  }
}
