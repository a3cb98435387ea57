import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { bodyDecoder } from '../shared/http/bodyDecoder.ts';
import { endToEndHeaders } from '../shared/http/endToEndHeaders.ts';
import { isLoopbackAddress } from '../shared/http/loopback.ts';
import type { SecretMask } from '../shared/masking/secretMask.ts';
import { decodedStart, encodingsIn, problemHeader } from '../service/encoding/decodedBody.ts';
import { headersOf } from '../service/signature/signature.ts';
import { type Remote, httpsAgent, withProtocolCode } from './localTls.ts';

export interface OutgoingRequest {
  url: URL;
  method: string;
  /** Names and values in turn. */
  rawHeaders: readonly string[];
  body: Uint8Array;
  /** Aborts the request. */
  signal?: AbortSignal;
  /** Called once it is connected, before anything is sent; whatever it throws ends the request. */
  onConnected?: (remote: Remote) => void;
  /** Whether any certificate counts where the connection stays on this machine. */
  acceptLocalCertificates?: boolean;
  /**
   * Closes the connection once the kept part of the answer has arrived. Only the signal limits how long the body may
   * take; if it aborts then, the request resolves with what has arrived.
   */
  isStartOnly?: boolean;
}

/** Headers that are made anew for the next connection, in lower case. */
export const madeAnew: readonly string[] = ['host', 'content-length'];

/** The answer to a request. */
export interface Answered {
  status: number;
  rawHeaders: readonly string[];
  /** The first {@link keptBytes} bytes of the body, decoded if it was compressed. */
  body: Buffer;
  /** The length of the whole body; absent if it was not read to its end. */
  bytes?: number;
}

/** How much of the body of an answer is kept, in bytes; the rest is discarded. */
export const keptBytes = 64 * 1024;
/** How much of it is stored with an attempt, in bytes. */
const startBytes = 1024;
/** How long the body may take once the head has arrived, in milliseconds: a streamed answer may never end. */
const bodyMs = 2000;

/**
 * Each request has a connection of its own: an app that stood at a breakpoint resets those that it kept. It is not
 * asked to close it, or one that answers before it has read the body would reset it, too.
 */
const httpAgent = Object.assign(new http.Agent({ keepAlive: true }), { keepSocketAlive: () => false });

/** A request or the answer to it. */
interface Open {
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

/**
 * Requests or answers that go on though nobody waits for them: an app may still work while it reads or streams one,
 * and would be cut off with its connection. Beyond a number of them the oldest is closed, since some are never ended.
 */
class OpenAnswers {
  readonly #most: number;
  readonly #open = new Set<Open>();

  /** @param most how many may stay open */
  constructor(most: number) {
    this.#most = most;
  }

  add(one: Open): void {
    this.#open.add(one);
    one.once('close', () => this.#open.delete(one));
    const [oldest] = this.#open;
    if (this.#open.size > this.#most) oldest?.destroy();
  }
}

/** The answers of apps that are still read though their start is known. */
const openAnswers = new OpenAnswers(32);
/** Requests that apps have answered and not read to their end. Each holds its body in memory. */
const unreadRequests = new OpenAnswers(6);

/**
 * Sends body and headers unchanged, except for headers that belong to one connection (RFC 9110, section 7.6.1), on a
 * connection of its own. Resolves with the answer, of which the start is kept.
 */
export function sendRequest(request: OutgoingRequest): Promise<Answered> {
  const { url, method, body, signal, isStartOnly = false, acceptLocalCertificates = false } = request;
  const isTls = url.protocol === 'https:';
  const send = isTls ? https.request : http.request;
  const agent = isTls ? httpsAgent() : httpAgent;
  const kept = endToEndHeaders(request.rawHeaders, madeAnew);
  const headers = ['Host', url.host, ...kept, 'Content-Length', String(body.length)];
  return new Promise((resolve, fail) => {
    let remote: Remote | undefined;
    const reject = (error: Error): void => {
      const isSilent = !isTls && outgoing.socket?.bytesRead === 0 && signal?.aborted !== true;
      void withProtocolCode(error, isSilent ? remote : undefined).then(fail, fail);
    };
    const options = { method, headers, agent, rejectUnauthorized: !acceptLocalCertificates };
    const outgoing = send(url, { ...options, ...(signal && { signal }) }, (answer) => {
      const { statusCode: status = 0, rawHeaders } = answer;
      // From here on, the answer itself reports errors.
      if (isStartOnly) outgoing.off('error', reject).on('error', () => undefined);
      readStart(answer, isStartOnly).then((read) => {
        if (!outgoing.writableFinished) unreadRequests.add(outgoing);
        decodedAnswer({ status, rawHeaders, ...read }, answer.headers['content-encoding']).then(
          resolve,
          reject,
        );
      }, reject);
    });
    // Status 101, or the answer to CONNECT: it carries no HTTP answer, and Node would not report its end.
    const refuse = (_: unknown, socket: Duplex): void => {
      socket.destroy();
      reject(Object.assign(new Error('The answer changes the protocol.'), { code: 'ECONNRESET' }));
    };
    outgoing.on('error', reject).on('upgrade', refuse).on('connect', refuse);
    const connected = (socket: Socket): void => {
      try {
        const { remoteAddress: address = '', remotePort: port = 0 } = socket;
        remote = { address, port };
        request.onConnected?.(remote);
        if (socket instanceof TLSSocket) socket.once('secureConnect', () => secured(socket));
        else outgoing.end(body);
      } catch (error) {
        outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const secured = (socket: TLSSocket): void => {
      // guard S59: An untrusted certificate is accepted on this machine only.
      if (socket.authorized || isLoopbackAddress(socket.remoteAddress ?? '')) outgoing.end(body);
      else outgoing.destroy(certificateError(socket));
    };
    outgoing.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => connected(socket));
      else connected(socket);
    });
  });
}

/** The code says what is wrong with it; Node gives that in place of the error. */
function certificateError({ authorizationError: problem }: TLSSocket): Error {
  const code = String(problem);
  return Object.assign(new Error(code), { code });
}

/** The answer with its body decoded, or with a header that says why that is as it came. */
async function decodedAnswer(
  { bytes: read, body: encoded, ...answer }: Answered,
  encoding: string | undefined,
): Promise<Answered> {
  const { start, bytes, problem } = await decodedStart(encoded, encoding, { bytes: read, most: keptBytes });
  // guard S87: A compressed body is decoded before it is masked or shown.
  return {
    status: answer.status,
    rawHeaders: problem === undefined ? answer.rawHeaders : [...answer.rawHeaders, problemHeader, problem],
    body: start.subarray(0, keptBytes),
    ...(bytes !== undefined && { bytes }),
  };
}

/** The start of a body, once it has ended or taken too long. The rest is read, so that the sender can end. */
function readStart(
  answer: http.IncomingMessage,
  isStartOnly: boolean,
): Promise<Pick<Answered, 'body' | 'bytes'>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // What is encoded may become no longer than it is.
  const most = encodingsIn(answer.headers['content-encoding']).length > 0 ? 4 * keptBytes : keptBytes;
  return new Promise((resolve, reject) => {
    const finish = (isWhole: boolean): void => {
      clearTimeout(timer);
      if (isStartOnly) answer.destroy();
      // Copied: a slice of a large chunk would keep all of the chunk in memory.
      const body = Buffer.from(Buffer.concat(chunks).subarray(0, most));
      resolve({ body, ...(isWhole && { bytes }) });
    };
    const takesLong = (): void => {
      openAnswers.add(answer);
      finish(false);
    };
    const timer = isStartOnly ? undefined : setTimeout(takesLong, bodyMs);
    answer.on('data', (chunk: Buffer) => {
      if (bytes < most) chunks.push(chunk);
      bytes += chunk.length;
      if (isStartOnly && bytes > most) finish(false);
    });
    answer
      .on('end', () => finish(true))
      .on('error', (error) => {
        clearTimeout(timer);
        if (isStartOnly) finish(false);
        else reject(error);
      });
  });
}

/** The part of an answer that is stored with an attempt, and told. @param mask of the secrets that are held */
export function outcomeOf(
  { status, rawHeaders, body }: Pick<Answered, 'status' | 'rawHeaders' | 'body'>,
  mask: SecretMask,
): { status: number; answer?: string } {
  const start = textOf(body.subarray(0, startBytes), rawHeaders);
  // guard S167: What a handler writes is told without the secrets that are held.
  const answer = start === '' ? '' : mask.start(start);
  return { status, ...(answer !== '' && { answer }) };
}

/**
 * The body of a response as text, without a character that is cut off at the end; empty if it is none in its character
 * set, or contains NUL.
 */
export function textOf(bytes: Uint8Array, rawHeaders: readonly string[]): string {
  const decoder = bodyDecoder(headersOf(rawHeaders)['content-type'], { fatal: true });
  try {
    const text = decoder.decode(bytes, { stream: true });
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
