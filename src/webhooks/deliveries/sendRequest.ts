import * as http from 'node:http';
import * as https from 'node:https';
import type { Duplex } from 'node:stream';
import { endToEndHeaders } from '../../model/service/endToEndHeaders.ts';

export interface OutgoingRequest {
  url: URL;
  method: string;
  /** Names and values in turn. */
  rawHeaders: readonly string[];
  body: Uint8Array;
  /** Ends the waiting for an answer. */
  signal?: AbortSignal;
  /**
   * Gives it a connection of its own, which is closed once what is kept of the answer is here. The signal alone bounds
   * how long that may take, and what came until then is given.
   */
  isAlone?: boolean;
}

/** Headers that are made anew for the next connection, in lower case. */
export const madeAnew: readonly string[] = ['host', 'content-length'];

/** What came back. */
export interface Answered {
  status: number;
  rawHeaders: readonly string[];
  /** Its first {@link keptBytes}. */
  body: Buffer;
  /** How many bytes it has; absent where it had not ended in time. */
  bytes?: number;
}

/** So much of an answer is read, in bytes; what follows is thrown away. */
export const keptBytes = 64 * 1024;
/** So much of it stands with an attempt, in bytes. */
const startBytes = 1024;
/** How long an answer whose head is here may take, in milliseconds: one that streams may have no end. */
const bodyMs = 2000;

/**
 * Sends a request with the bytes as they are, the headers too but those that belong to one connection
 * (RFC 9110, section 7.6.1). Resolves with the answer, of which the start is kept.
 */
export function sendRequest(request: OutgoingRequest): Promise<Answered> {
  const { url, method, body, signal, isAlone = false } = request;
  const send = url.protocol === 'https:' ? https.request : http.request;
  const kept = endToEndHeaders(request.rawHeaders, madeAnew);
  const headers = ['Host', url.host, ...kept, 'Content-Length', String(body.length)];
  return new Promise((resolve, reject) => {
    const options = { method, headers, ...(signal && { signal }), ...(isAlone && { agent: false }) };
    const outgoing = send(url, options, (answer) => {
      const { statusCode: status = 0, rawHeaders } = answer;
      // From here on the answer tells how it ends.
      if (isAlone) outgoing.off('error', reject).on('error', () => undefined);
      readStart(answer, isAlone).then((read) => resolve({ status, rawHeaders, ...read }), reject);
    });
    // 101, or what answers CONNECT: there is no answer in it, and Node would not tell of its end.
    const refuse = (_: unknown, socket: Duplex): void => {
      socket.destroy();
      reject(Object.assign(new Error('The answer changes the protocol.'), { code: 'ECONNRESET' }));
    };
    outgoing.on('error', reject).on('upgrade', refuse).on('connect', refuse);
    outgoing.end(body);
  });
}

/** The start of an answer, once it has ended or taken too long. What follows is read, so that its sender can end. */
function readStart(
  answer: http.IncomingMessage,
  isAlone: boolean,
): Promise<Pick<Answered, 'body' | 'bytes'>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const finish = (isWhole: boolean): void => {
      clearTimeout(timer);
      if (isAlone) answer.destroy();
      // A part of a large chunk would hold all of it.
      const body = Buffer.from(Buffer.concat(chunks).subarray(0, keptBytes));
      resolve({ body, ...(isWhole && { bytes }) });
    };
    const timer = isAlone ? undefined : setTimeout(() => finish(false), bodyMs);
    answer.on('data', (chunk: Buffer) => {
      if (bytes < keptBytes) chunks.push(chunk);
      bytes += chunk.length;
      if (isAlone && bytes > keptBytes) finish(false);
    });
    answer
      .on('end', () => finish(true))
      .on('error', (error) => {
        clearTimeout(timer);
        if (isAlone) finish(false);
        else reject(error);
      });
  });
}

/** What stands with an attempt of its answer. */
export function outcomeOf({ status, body }: Answered): { status: number; answer?: string } {
  const answer = textOf(body.subarray(0, startBytes));
  return { status, ...(answer !== '' && { answer }) };
}

/** Bytes as a text, without the character that a cut went through; empty where they are no UTF-8. */
export function textOf(bytes: Uint8Array): string {
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
