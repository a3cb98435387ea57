import * as http from 'node:http';
import * as https from 'node:https';

export interface OutgoingRequest {
  url: URL;
  method: string;
  /** Names and values in turn. */
  rawHeaders: readonly string[];
  body: Uint8Array;
  /** Ends the waiting for an answer. */
  signal?: AbortSignal;
}

const hopByHop = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'content-length',
  'upgrade',
]);

/**
 * Sends a request with the bytes as they are, the headers too but those that belong to one connection
 * (RFC 9110, section 7.6.1). Resolves with the status; the answer's body is thrown away.
 */
export function sendRequest(request: OutgoingRequest): Promise<number> {
  const { url, method, body, signal } = request;
  const send = url.protocol === 'https:' ? https.request : http.request;
  const headers = ['Host', url.host, ...endToEnd(request.rawHeaders), 'Content-Length', String(body.length)];
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method, headers, ...(signal && { signal }) }, (answer) => {
      answer.on('error', reject).on('end', () => resolve(answer.statusCode ?? 0));
      answer.resume();
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function endToEnd(rawHeaders: readonly string[]): string[] {
  const named = new Set(hopByHop);
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'connection') continue;
    for (const name of (rawHeaders[at + 1] ?? '').split(',')) named.add(name.trim().toLowerCase());
  }
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!named.has(name.toLowerCase())) kept.push(name, rawHeaders[at + 1] ?? '');
  }
  return kept;
}

/** Why a request got no answer, in a word or two. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
