import type { RequestUrl } from '../endpoints.ts';

/** One HTTP request. Redirects are never followed, so that a token stays with the origin it was meant for. */
export interface TransportRequest {
  method: string;
  /** Path and query are sent exactly as they are here. */
  url: RequestUrl;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** How long the whole answer may take, in milliseconds. */
  timeoutMs?: number;
  /** Cancels the request, and the body of its answer. */
  signal?: AbortSignal;
}

export interface TransportResponse {
  status: number;
  /** Names in lower case; several values of one name are joined by `, `. */
  headers: Record<string, string>;
  /** Whether the transport has decoded the body, as `content-encoding` says. */
  isDecoded?: boolean;
  /** Must be read to its end or left by `break`: the connection is held until then. */
  body: AsyncIterable<Uint8Array>;
}

/**
 * Sends one request, once. Rejects with an UnreachableError if there is no answer, and with the reason of the signal
 * if it was cancelled; any status is an answer.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
