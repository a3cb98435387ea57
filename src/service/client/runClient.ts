import type { RunUrl } from '../runs/runUrl.ts';
import { connectionFailure } from '../../shared/http/failureReason.ts';
import { brokenOffText } from '../../shared/text/bytesText.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { UserError } from '../../shared/text/userError.ts';
import { problemHeader } from '../encoding/decodedBody.ts';
import { EncodingError } from '../encoding/decoders.ts';
import { boundedBody } from './boundedBody.ts';
import { decodedResponse } from './decodedResponse.ts';
import { BrokenOffError, UnreachableError } from './errors.ts';
import { SecretMask } from '../../shared/masking/secretMask.ts';
import type { Transport } from './transport.ts';

/** A call to an app through the proxy (service-interface.md, section 4.3). */
export interface RunCall {
  url: RunUrl;
  method: string;
  /** Headers in addition to those that Runhook sends itself. */
  headers?: Record<string, string>;
  /** JSON text. */
  body?: string;
  /** The secret that the service signs the delivery of the result with. */
  secret?: string;
  /** The most bytes of the answer that the caller reads, if that is less than the client reads at all. */
  most?: number;
}

/** An app's answer. The body is streamed as the app sends it, with the token and the secret of the call masked. */
export interface RunAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
}

/** Headers that the call itself or its connection owns: a payload may not set them. */
const reserved = new Set([
  'authorization',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'x-webhook-secret',
]);

/** The longest answer that is read, in bytes: a longer one would fill the disk. */
const mostBytes = 1024 * 1024 * 1024;

export interface RunClientOptions {
  transport: Transport;
  token: string;
  userAgent: string;
  maxAnswerBytes?: number;
}

/** Runs apps through the proxy. A run is never retried: it may have taken effect. */
export class RunClient {
  readonly #options: RunClientOptions;

  constructor(options: RunClientOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the head of the answer has arrived, whatever its status.
   * @throws UserError for a call that cannot be sent; the transport's error if no answer came
   */
  async run(call: RunCall, signal?: AbortSignal): Promise<RunAnswer> {
    const { transport, token, userAgent, maxAnswerBytes = mostBytes } = this.#options;
    const head = runHead(call, token);
    const response = await transport({
      method: head.method,
      url: call.url,
      headers: { 'user-agent': userAgent, ...head.headers },
      // An app may take as long as it likes.
      timeoutMs: Infinity,
      ...(call.body !== undefined && { body: call.body }),
      ...(signal && { signal }),
    }).catch(runUnanswered);
    // Apps may echo the token and the secret of a call, and the answer is shown and kept in files.
    // guard S86: Token and webhook secret are taken out of the head and the body of every answer of an app.
    const mask = new SecretMask([token, ...(call.secret ? [call.secret] : [])]);
    const { status, headers } = response;
    const { body, problem } = await decodedResponse(response, maxAnswerBytes);
    return {
      status,
      headers: mask.headers({ ...headers, ...(problem !== undefined && { [problemHeader]: problem }) }),
      body: wholeBody(mask.body(body), Math.min(call.most ?? Infinity, maxAnswerBytes)),
    };
  }
}

/** For a run that may have reached the service, without a response to it. */
function runUnanswered(error: unknown): never {
  if (!(error instanceof UnreachableError) || !error.wasSent) throw error;
  const { passing, short, inRow, wasSent } = error;
  const message = sentences(error.message, t('The app may have run.'));
  throw new UnreachableError(message, { cause: error, passing, short, inRow, wasSent });
}

/**
 * Method and headers of a call, as they are sent.
 * @throws UserError for a call that cannot be sent
 */
export function runHead(call: RunCall, token: string): { method: string; headers: Record<string, string> } {
  const { headers = {}, body, secret } = call;
  const sent = new Map<string, string>();
  if (body !== undefined) sent.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(headers)) sent.set(...checkedHeader(name, value));
  sent.set('authorization', `Bearer ${token}`);
  // A header is sent with one byte for each character.
  if (secret !== undefined) sent.set('x-webhook-secret', Buffer.from(secret).toString('latin1'));
  return { method: methodOf(call), headers: Object.fromEntries(sent) };
}

/**
 * The body, up to a limit, with an error that tells how much had arrived.
 * @throws BrokenOffError if the body breaks off, TooLongError once more than `most` bytes have arrived
 */
async function* wholeBody(body: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const piece of boundedBody(body, most)) {
      bytes += piece.length;
      yield piece;
    }
  } catch (error) {
    if (error instanceof EncodingError) throw new BrokenOffError(error.message, bytes, error);
    if (!(error instanceof UnreachableError)) throw error;
    const why = connectionFailure(error.cause);
    throw new BrokenOffError(t('The response {0}: {1}.', brokenOffText(bytes), why), bytes, error);
  }
}

function methodOf({ method, body }: RunCall): string {
  const upper = method.toUpperCase();
  if (!/^[A-Z]+$/.test(upper) || upper === 'CONNECT' || upper === 'TRACE') {
    throw new UserError(t('An app cannot be called with the method "{0}".', method));
  }
  if (body !== undefined && (upper === 'GET' || upper === 'HEAD')) {
    throw new UserError(t('A {0} request cannot have a body: empty the payload, or use POST.', upper));
  }
  return upper;
}

function checkedHeader(name: string, value: string): [string, string] {
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw new UserError(t('The header "{0}" cannot be sent: its name or its value is not valid.', name));
  }
  if (reserved.has(name.toLowerCase())) {
    throw new UserError(t('The header "{0}" is set by Runhook: remove it from the payload.', name));
  }
  return [name.toLowerCase(), value];
}
