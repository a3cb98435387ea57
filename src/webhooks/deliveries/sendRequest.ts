import * as http from 'node:http';
import * as https from 'node:https';
import { endToEndHeaders } from '../../model/service/endToEndHeaders.ts';

export interface OutgoingRequest {
  url: URL;
  method: string;
  /** Names and values in turn. */
  rawHeaders: readonly string[];
  body: Uint8Array;
  /** Ends the waiting for an answer. */
  signal?: AbortSignal;
  /** So much of the answer is kept, in bytes; {@link startBytes} where nothing is said. */
  keeps?: number;
}

/** Headers that are made anew for the next connection, in lower case. */
export const madeAnew: readonly string[] = ['host', 'content-length'];

/** What came back. */
export interface Answered {
  status: number;
  rawHeaders: readonly string[];
  /** The start of the answer, as a text; empty where it is none. */
  start: string;
}

/** So much of an answer is kept with an attempt, in bytes. */
const startBytes = 1024;
/** How long an answer whose head is here may take, in milliseconds: one that streams may have no end. */
const bodyMs = 2000;

/**
 * Sends a request with the bytes as they are, the headers too but those that belong to one connection
 * (RFC 9110, section 7.6.1). Resolves with the status and the start of the answer; the rest is thrown away.
 */
export function sendRequest(request: OutgoingRequest): Promise<Answered> {
  const { url, method, body, signal, keeps = startBytes } = request;
  const send = url.protocol === 'https:' ? https.request : http.request;
  const kept = endToEndHeaders(request.rawHeaders, madeAnew);
  const headers = ['Host', url.host, ...kept, 'Content-Length', String(body.length)];
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method, headers, ...(signal && { signal }) }, (answer) => {
      const { statusCode: status = 0, rawHeaders } = answer;
      readStart(answer, keeps).then((start) => resolve({ status, rawHeaders, start }), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The start of an answer, once it has ended or taken too long. What follows is read, so that its sender can end. */
function readStart(answer: http.IncomingMessage, keeps: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      clearTimeout(timer);
      resolve(textOf(Buffer.concat(chunks).subarray(0, keeps)));
    };
    const timer = setTimeout(finish, bodyMs);
    answer.on('data', (chunk: Buffer) => {
      if (bytes < keeps) chunks.push(chunk);
      bytes += chunk.length;
    });
    answer.on('end', finish).on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

/** So much of an answer as is kept with an attempt. */
export function startOf(answer: string): string {
  return textOf(Buffer.from(answer).subarray(0, startBytes));
}

/** Bytes as a text, without the character that the cut went through; empty where they are no UTF-8. */
function textOf(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return text.includes('\0') ? '' : text;
  } catch {
    return '';
  }
}

/** Why a request got no answer, in a word or two. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
