import { failureReason } from '../../model/service/failureReason.ts';
import {
  keptBytes,
  networkReason,
  type OutgoingRequest,
  sendRequest,
  textOf,
} from '../../webhooks/deliveries/sendRequest.ts';
import { headersOf } from '../../webhooks/signature/rawHeaders.ts';

/** What an app answered. */
export interface AppAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Its start, up to 64 KB; empty where it is no text. */
  body: string;
  /** Whether it had ended in time, or is longer than what is kept. */
  hasEnded: boolean;
}

/** One request to the app and what came of it. */
export interface Exchange {
  /** Such as `POST http://127.0.0.1:3000/hook`. */
  request: string;
  /** How long the answer was waited for at most. */
  withinMs: number;
  durationMs: number;
  answer?: AppAnswer;
  /** Why there is no answer: the time was up, or what the connection failed with. */
  problem?: { kind: 'late' } | { kind: 'failed'; reason: string };
}

/**
 * Sends a request to the app, for `withinMs` at most. No redirect is followed.
 * @throws the signal's reason where it is aborted
 */
export async function exchange(
  request: Omit<OutgoingRequest, 'signal' | 'isAlone'>,
  withinMs: number,
  signal: AbortSignal,
): Promise<Exchange> {
  signal.throwIfAborted();
  const limit = AbortSignal.timeout(withinMs);
  const started = performance.now();
  const said = { request: `${request.method} ${request.url.href}`, withinMs };
  const durationMs = (): number => Math.round(performance.now() - started);
  try {
    // A connection of its own, which no earlier answer can have closed.
    const sent = await sendRequest({ ...request, isAlone: true, signal: AbortSignal.any([signal, limit]) });
    signal.throwIfAborted();
    const { status, rawHeaders, body, bytes } = sent;
    const hasEnded = bytes !== undefined || body.length >= keptBytes;
    const answer = { status, headers: headersOf(rawHeaders), body: textOf(body), hasEnded };
    return { ...said, durationMs: durationMs(), answer };
  } catch (error) {
    signal.throwIfAborted();
    const reason = failureReason(error) ?? networkReason(error);
    const problem = limit.aborted ? ({ kind: 'late' } as const) : ({ kind: 'failed', reason } as const);
    return { ...said, durationMs: durationMs(), problem };
  }
}
