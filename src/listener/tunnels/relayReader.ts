import * as v from 'valibot';
import {
  channelOf,
  heartbeatMs,
  joinHeader,
  mostRelayedBytes,
  openedSchema,
  readRelayKey,
  type RelayedDelivery,
  relayLineSchema,
  type RelayLosses,
} from '../../deliveries/relayProtocol.ts';
import type { RelayPlace } from '../../deliveries/keptDelivery.ts';
import type { RelayAccess } from '../../deliveries/listenerProtocol.ts';
import { boundedBody, readAll } from '../../service/client/boundedBody.ts';
import { UnreachableError } from '../../service/client/errors.ts';
import type { Transport, TransportResponse } from '../../service/client/transport.ts';
import { type Clock, delay } from '../../shared/async/clock.ts';
import { failureText } from '../../shared/http/failureReason.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentence } from '../../shared/text/sentences.ts';
import { UserError } from '../../shared/text/userError.ts';

/** How the relay is tried again after a failure, in milliseconds; the last holds for all further ones. */
const retryMs = [1000, 2000, 5000, 10_000, 30_000];
/** How long a call may take, and how long the stream of deliveries may be silent, in milliseconds. */
const callMs = 15_000;
const silentMs = 3 * heartbeatMs;
/** How long acknowledgements are collected, in milliseconds, and how many of them. */
const collectMs = 50;
const mostCollected = 500;
/** How many bytes of deliveries may wait for the disk before more are read. */
const mostUnstored = 8 * 1024 * 1024;
/** The largest line: the body in base64, with its headers. */
const longestLine = Math.ceil((mostRelayedBytes * 4) / 3) + 256 * 1024;

/** What went wrong with a relay, as a text; trying again will not help where it is final. */
export class RelayError extends UserError {
  override readonly name = 'RelayError';
  readonly isFinal: boolean;
  /** Whether the relay asks for the token of its team. */
  readonly needsToken: boolean;

  constructor(message: string, { isFinal = false, needsToken = false } = {}) {
    super(message, { remedies: [{ kind: 'tryAgain' }, { kind: 'showLog' }] });
    this.isFinal = isFinal;
    this.needsToken = needsToken;
  }
}

export interface RelayReaderOptions extends RelayAccess {
  transport: Transport;
  clock: Clock;
  /** Stores a delivery. Resolves once it is on the disk, and rejects if it cannot be stored. */
  take: (place: RelayPlace, request: RelayedRequest) => Promise<void>;
  /** Called each time the relay is there, with the address that it gives. */
  onOpen: (publicUrl: string) => void;
  /** Called each time it cannot be reached, with the number of the attempt that follows, from 1. */
  onAway: (reason: string, attempt: number) => void;
  /** Called when it cannot be used until somebody does something. */
  onRefused: (error: RelayError) => void;
  onLosses: (losses: RelayLosses) => void;
}

/** A delivery of a relay as the request that it was. */
export interface RelayedRequest {
  method: string;
  path: string;
  rawHeaders: string[];
  body: Buffer;
}

/**
 * Reads the deliveries of a channel from a relay: opens the channel, stores what comes, and acknowledges what is stored.
 * It connects by itself, and again whenever the relay was away.
 */
export class RelayReader {
  readonly #options: RelayReaderOptions;
  readonly #closing = new AbortController();
  readonly #channel: string;
  /** Resolves when nothing more is read or stored. */
  readonly ended: Promise<void>;
  #failures = 0;

  /** @throws RelayError if the key is none */
  constructor(options: RelayReaderOptions) {
    const key = readRelayKey(options.key);
    if (key === undefined)
      throw new RelayError(t('The key of the relay does not have 256 bits.'), { isFinal: true });
    this.#options = options;
    this.#channel = channelOf(key);
    this.ended = this.#run();
  }

  /** Ends, and waits until what was read is stored and acknowledged. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.ended;
  }

  async #run(): Promise<void> {
    const { clock, onAway, onRefused } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#readOnce();
      } catch (error) {
        if (this.#isClosing()) return;
        if (error instanceof RelayError && error.isFinal) {
          onRefused(error);
          return;
        }
        this.#failures += 1;
        // The whole message of such an error speaks of the service.
        const reason = error instanceof UnreachableError ? error.short : failureText(error);
        onAway(sentence(reason), this.#failures);
        const ms = retryMs[Math.min(this.#failures, retryMs.length) - 1] ?? 0;
        await delay(clock, ms, signal).catch(() => undefined);
      }
    }
  }

  #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  async #readOnce(): Promise<void> {
    const { onOpen } = this.#options;
    const publicUrl = await this.#open();
    const closed = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, closed.signal]);
    let cancel = (): void => undefined;
    const heard = (): void => {
      cancel();
      cancel = this.#options.clock.after(silentMs, () =>
        closed.abort(new RelayError(t('it has sent nothing for {0} seconds.', silentMs / 1000))),
      );
    };
    const acknowledgements = new Acknowledgements(this.#options.clock, (seqs) => this.#acknowledge(seqs));
    try {
      heard();
      const response = await this.#call('GET', 'v1/deliveries', { signal });
      this.#failures = 0;
      onOpen(publicUrl);
      const fail = (error: unknown): void => closed.abort(error);
      await this.#readLines(response.body, { heard, fail, acknowledgements });
      throw new RelayError(t('it closed the connection.'));
    } catch (error) {
      throw closed.signal.aborted ? closed.signal.reason : error;
    } finally {
      cancel();
      await acknowledgements.end();
    }
  }

  /** @param told `heard` is called for each piece, `fail` where a delivery cannot be stored */
  async #readLines(
    body: AsyncIterable<Uint8Array>,
    told: { heard: () => void; fail: (error: unknown) => void; acknowledgements: Acknowledgements },
  ): Promise<void> {
    let unstored: Promise<void>[] = [];
    let bytes = 0;
    try {
      for await (const line of linesOf(body, told.heard)) {
        const read = v.safeParse(relayLineSchema, jsonOf(line));
        if (!read.success) throw new RelayError(t('it sent something that is not a delivery.'));
        if ('losses' in read.output) this.#options.onLosses(read.output.losses);
        if (!('seq' in read.output)) continue;
        unstored.push(this.#store(read.output, told.acknowledgements).catch(told.fail));
        bytes += line.length;
        if (bytes < mostUnstored && unstored.length < mostCollected) continue;
        await Promise.all(unstored);
        unstored = [];
        bytes = 0;
      }
    } finally {
      // What is stored is acknowledged, whatever happens to others.
      await Promise.all(unstored);
    }
  }

  async #store(
    { seq, at, method, path, rawHeaders, body }: RelayedDelivery,
    acknowledgements: Acknowledgements,
  ): Promise<void> {
    const request = { method, path, rawHeaders, body: Buffer.from(body, 'base64') };
    await this.#options.take({ channel: this.#channel, seq, at }, request);
    // guard S146: A delivery of a relay is acknowledged once it is on the disk.
    acknowledgements.add(seq);
  }

  /** @returns the public address */
  async #open(): Promise<string> {
    const { joinToken } = this.#options;
    const headers: Record<string, string> = joinToken === undefined ? {} : { [joinHeader]: joinToken };
    const response = await this.#call('PUT', 'v1/channel', {
      headers,
      signal: this.#closing.signal,
      timeoutMs: callMs,
    });
    const opened = v.safeParse(openedSchema, jsonOf(await textOf(response)));
    if (!opened.success || !/^https?:/.test(opened.output.address)) throw this.#noRelay();
    return opened.output.address;
  }

  /** What is not acknowledged comes again, and is acknowledged then. */
  async #acknowledge(seqs: readonly number[]): Promise<void> {
    const body = JSON.stringify({ seqs });
    const response = await this.#call('POST', 'v1/acks', { body, timeoutMs: callMs });
    await textOf(response);
  }

  /** @throws RelayError if the relay refuses it, UserError if it cannot be reached */
  async #call(
    method: string,
    path: string,
    more: { headers?: Record<string, string>; body?: string; signal?: AbortSignal; timeoutMs?: number },
  ): Promise<TransportResponse> {
    const { transport, url, key } = this.#options;
    const headers = { authorization: `Bearer ${key}`, ...more.headers };
    const address = new URL(path, url.endsWith('/') ? url : `${url}/`);
    const response = await transport({ ...more, method, url: address, headers });
    const { status } = response;
    if (isSuccess(status)) return response;
    await textOf(response);
    throw this.#refusal(status);
  }

  #refusal(status: number): RelayError {
    const { url, joinToken } = this.#options;
    const { host } = new URL(url);
    switch (status) {
      case 401:
        return new RelayError(t('The relay {0} does not accept the key of this window.', host), {
          isFinal: true,
        });
      case 403:
        return new RelayError(
          joinToken === undefined
            ? t('The relay {0} is for members of a team. Whoever runs it has the token.', host)
            : t('The relay {0} rejected the token. Whoever runs it has the right one.', host),
          { isFinal: true, needsToken: true },
        );
      case 404:
      case 405:
        return this.#noRelay();
      default:
        return new RelayError(t('it returned {0}.', status));
    }
  }

  #noRelay(): RelayError {
    // A channel that was closed meanwhile is opened at the next attempt, as is the relay that is being updated.
    return new RelayError(t('there is no relay at {0}.', this.#options.url));
  }
}

/** Collects what is to be acknowledged, and sends one call for many. */
class Acknowledgements {
  readonly #clock: Clock;
  readonly #send: (seqs: readonly number[]) => Promise<void>;
  #seqs: number[] = [];
  #cancel: (() => void) | undefined;
  readonly #underWay = new Set<Promise<void>>();

  constructor(clock: Clock, send: (seqs: readonly number[]) => Promise<void>) {
    this.#clock = clock;
    this.#send = send;
  }

  add(seq: number): void {
    this.#seqs.push(seq);
    if (this.#seqs.length >= mostCollected) this.#flush();
    else this.#cancel ??= this.#clock.after(collectMs, () => this.#flush());
  }

  async end(): Promise<void> {
    this.#flush();
    await Promise.all(this.#underWay);
  }

  #flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const seqs = this.#seqs;
    this.#seqs = [];
    if (seqs.length === 0) return;
    const sent = this.#send(seqs)
      .catch(() => undefined)
      .finally(() => this.#underWay.delete(sent));
    this.#underWay.add(sent);
  }
}

/** @param heard called for each piece that arrives */
async function* linesOf(body: AsyncIterable<Uint8Array>, heard: () => void): AsyncGenerator<string> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    heard();
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      pieces.push(piece.subarray(from, end));
      yield Buffer.concat(pieces).toString();
      pieces = [];
      length = 0;
      from = end + 1;
    }
    pieces.push(piece.subarray(from));
    length += piece.length - from;
    // guard S148: What a relay sends is bounded, and is read as strictly as a request.
    if (length > longestLine) throw new RelayError(t('it sent something that is not a delivery.'));
  }
}

/** How long an answer of a relay to a call is, at most, in bytes. */
const longestAnswer = 64 * 1024;

async function textOf({ body }: TransportResponse): Promise<string> {
  return Buffer.from(await readAll(boundedBody(body, longestAnswer))).toString();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
