import * as http from 'node:http';
import * as https from 'node:https';
import { endToEndHeaders } from '../model/endToEndHeaders.ts';

export interface OutgoingRequest {
  url: URL;
  method: string;
  /** Names and values in turn. */
  rawHeaders: readonly string[];
  body: Uint8Array;
  /** Ends the waiting for an answer. */
  signal?: AbortSignal;
}

/** Made anew for the next connection. */
const made = ['host', 'content-length'];

/**
 * Sends a request with the bytes as they are, the headers too but those that belong to one connection
 * (RFC 9110, section 7.6.1). Resolves with the status; the answer's body is thrown away.
 */
export function sendRequest(request: OutgoingRequest): Promise<number> {
  const { url, method, body, signal } = request;
  const send = url.protocol === 'https:' ? https.request : http.request;
  const kept = endToEndHeaders(request.rawHeaders, made);
  const headers = ['Host', url.host, ...kept, 'Content-Length', String(body.length)];
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method, headers, ...(signal && { signal }) }, (answer) => {
      answer.on('error', reject).on('end', () => resolve(answer.statusCode ?? 0));
      answer.resume();
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Why a request got no answer, in a word or two. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
