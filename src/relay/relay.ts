import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { isKey } from '../shared/rpc/isKey.ts';
import {
  acksSchema,
  channelForm,
  channelOf,
  joinHeader,
  keptDays,
  mostRelayedBytes,
  type OpenedChannel,
  readRelayKey,
} from '../deliveries/relayProtocol.ts';
import { BodyRoom, type HeldRequest } from '../listener/intake/incomingBody.ts';
import {
  answer,
  type Expects,
  type OpenRequest,
  refusedByHead,
  senderLimits,
  Senders,
  senderServer,
} from '../listener/intake/senders.ts';
import { headerOf } from '../service/signature/signature.ts';
import { ChannelFullError, Engine, TooManyChannelsError, type EngineLimits, headBytes } from './engine.ts';
import { Channels } from './channels.ts';
import { Losses } from './losses.ts';
import { idOf, type TakenPost, writeMessage } from './message.ts';
import { ReaderSession, readersShare } from './readerSession.ts';

export interface RelayOptions {
  /** `nats://host:port`, several of a cluster. */
  nats: readonly string[];
  /** How many nodes have each delivery. */
  replicas: number;
  host: string;
  /** 0 for any free port. */
  port: number;
  /** Where the service reaches the relay; without it, where a reader does. */
  publicUrl?: string;
  /** Only who knows it opens a channel. */
  joinToken?: string;
  /** Writes an entry of the log, which has no body, no key and no whole address. */
  log: (entry: RelayLogEntry) => void;
  limits?: EngineLimits;
}

export interface RelayLogEntry {
  event: string;
  [detail: string]: string | number | boolean;
}

/** Of a reader's calls. */
const mostCallBytes = 256 * 1024;
/** Each reader has a connection. */
const mostConnections = 20_000;
/** How many readers of a channel may be connected. */
const mostReaders = 8;
/** How many lines of an event the log has between two summaries. */
const mostLines = 20;
/** How often the log tells what was taken and turned away, in milliseconds. */
const summaryMs = 60_000;

const notOpen = 'There is no such address.';

/** How an intake ended, for the summary in the log. */
const outcomes = ['taken', 'unknown', 'full', 'busy', 'failed', 'refused'] as const;
type Outcome = (typeof outcomes)[number];

/**
 * Takes posts for channels, has the engine keep them, and hands them to the readers of these channels. It keeps nothing
 * by itself: any number of relays stand beside each other.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #engine: Engine;
  readonly #channels: Channels;
  readonly #losses: Losses;
  readonly #senders: Senders;
  readonly #sessions = new Set<ReaderSession>();
  readonly #readersRoom = new BodyRoom(readersShare);
  readonly #summary = setInterval(() => this.#summarize(), summaryMs).unref();
  #counts = noCounts();
  /** How many lines of each event there were since the last summary. */
  readonly #lines = new Map<string, number>();
  /** Posts that wait for the engine. */
  readonly #underWay = new Set<Promise<void>>();
  #server: Server | undefined;
  port = 0;

  private constructor(options: RelayOptions) {
    const { nats, replicas, limits, log } = options;
    this.#options = options;
    this.#engine = new Engine({
      ...{ servers: nats, replicas, limits },
      onState: (isThere, why) => log(isThere ? { event: 'engine there' } : { event: 'engine away', why }),
    });
    this.#channels = new Channels(this.#engine, () => performance.now());
    this.#losses = new Losses(this.#engine);
    this.#senders = new Senders(
      { ...senderLimits, connections: mostConnections },
      () => undefined,
      () => this.#count('refused'),
    );
  }

  /** Listens, whether the engine is there or not. Rejects with Node's error if the port cannot be had. */
  static async start(options: RelayOptions): Promise<Relay> {
    const relay = new Relay(options);
    const { server, port } = await senderServer({
      port: options.port,
      host: options.host,
      limits: { ...senderLimits, connections: mostConnections },
      senders: relay.#senders,
      onRequest: (...request) => relay.#receive(...request),
    });
    relay.#server = server;
    relay.port = port;
    options.log({ event: 'listening', host: options.host, port, replicas: options.replicas });
    relay.#engine.ready
      .then(() => relay.#checkEngine())
      .catch((error: unknown) => options.log({ event: 'engine unusable', why: String(error) }));
    return relay;
  }

  /** How many posts wait for the engine. */
  get underWay(): number {
    return this.#underWay.size;
  }

  /** Ends: no new posts, those under way are answered. */
  async end(): Promise<void> {
    clearInterval(this.#summary);
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const session of this.#sessions) session.end();
    await Promise.allSettled(this.#underWay);
    this.#server?.closeIdleConnections();
    if (this.#server !== undefined) this.#senders.closeAll(this.#server);
    await closed;
    await this.#losses.end();
    await this.#engine.end();
    this.#summarize();
    this.#log({ event: 'ended' });
  }

  #checkEngine(): void {
    const { mostBytes = 0 } = this.#engine;
    if (mostBytes >= mostRelayedBytes + headBytes) return;
    const why = `max_payload of the engine is ${mostBytes} bytes: larger deliveries are refused`;
    this.#log({ event: 'engine takes less', why });
  }

  #receive(request: HeldRequest, response: ServerResponse, expects: Expects = 'nothing'): void {
    // guard S176: The path is read as it came: a proxy in front may pass on a part of them.
    const { url = '' } = request;
    const [, channel, rest = ''] = /^\/in\/([^/?]*)(.*)$/.exec(url) ?? [];
    if (channel !== undefined) {
      const path = rest.startsWith('/') ? rest : `/${rest}`;
      this.#takePost(request, response, { channel, path, expects });
      return;
    }
    const [path = ''] = url.split('?');
    this.#takeCall(request, response, path).catch((error: unknown) => {
      this.#log({ event: 'call failed', path, why: String(error) });
      // What the engine could not do just now may be tried again.
      if (response.headersSent) response.destroy();
      else answer(response, 503, 'The relay cannot reach its engine.');
    });
  }

  #takePost(
    request: HeldRequest,
    response: ServerResponse,
    { channel, path, expects }: { channel: string; path: string; expects: Expects },
  ): void {
    const opened = this.#senders.open(request, response, expects);
    if (opened === undefined) return;
    const refuse = (status: number, reason: string): void => {
      this.#count(status === 404 ? 'unknown' : 'refused');
      opened.refuse(status, reason);
    };
    const refused = refusedByHead(request, expects);
    if (refused !== undefined) {
      refuse(refused.status, refused.reason);
      return;
    }
    if (!channelForm.test(channel)) {
      refuse(404, notOpen);
      return;
    }
    // guard S142: A body is read once its channel is known to be open, so that guesses take none of the room for bodies.
    this.#waitFor(
      this.#channels.isOpen(channel).then(
        (isOpen) => {
          if (isOpen) this.#readPost(request, response, { channel, path, opened, refuse });
          else refuse(404, notOpen);
        },
        () => {
          this.#count('busy');
          request.socket.destroy();
        },
      ),
    );
  }

  #readPost(
    request: HeldRequest,
    response: ServerResponse,
    { channel, path, opened, refuse }: WantedPost,
  ): void {
    const most = Math.min(mostRelayedBytes, (this.#engine.mostBytes ?? Number.POSITIVE_INFINITY) - headBytes);
    opened.read(most, (read) => {
      if (read.kind === 'tooLarge') refuse(413, `The body is larger than ${most} bytes.`);
      if (read.kind !== 'whole') return;
      const { rawHeaders } = request;
      const post: TakenPost = { at: Date.now(), method: 'POST', path, rawHeaders, body: read.body };
      const kept = this.#keep(channel, post).then((outcome) => {
        this.#count(outcome);
        if (outcome === 'taken') answer(response, 200);
        else if (outcome === 'unknown') answer(response, 404, notOpen);
        // The service repeats where it gets no answer, and never after a 5xx.
        else request.socket.destroy();
      });
      this.#waitFor(kept.finally(read.free));
    });
  }

  #waitFor(work: Promise<void>): void {
    const ended = work.finally(() => this.#underWay.delete(ended));
    this.#underWay.add(ended);
  }

  async #keep(channel: string, post: TakenPost): Promise<Outcome> {
    const message = writeMessage(post);
    const begun = await this.#channels.begin(channel, message.byteLength);
    if (typeof begun === 'string') {
      if (begun === 'full') this.#turnedAway(channel);
      return begun;
    }
    try {
      // guard S140: A post is answered with 200 once the engine has acknowledged it, and never before.
      this.#losses.taken(channel, await this.#engine.take(channel, message, idOf(post)));
      begun('kept');
      return 'taken';
    } catch (error) {
      const isFull = error instanceof ChannelFullError;
      begun(isFull ? 'full' : 'failed');
      if (isFull) this.#turnedAway(channel);
      else this.#log({ event: 'post failed', channel: shortly(channel), why: String(error) });
      return isFull ? 'full' : 'failed';
    }
  }

  #turnedAway(channel: string): void {
    this.#losses.turnedAway(channel);
    this.#log({ event: 'channel full', channel: shortly(channel) });
  }

  async #takeCall(request: HeldRequest, response: ServerResponse, path: string): Promise<void> {
    const body = this.#senders.begin(request, response);
    if (body === undefined) return;
    const text = await new Promise<string | undefined>((resolve) => {
      body.read(
        mostCallBytes,
        () => undefined,
        (read) => {
          resolve(read.kind === 'whole' ? read.body.toString() : undefined);
          if (read.kind === 'whole') read.free();
        },
      );
    });
    const { method = '' } = request;
    if (text === undefined) {
      body.drop(() => answer(response, 413));
      return;
    }
    // A web page has no business here: it could show no key, but it could fill the log.
    if (headerOf(request.rawHeaders, 'origin') !== undefined) {
      answer(response, 403);
      return;
    }
    if (path === '/healthz' && method === 'GET') {
      answer(response, (await this.#engine.answers()) ? 200 : 503);
      return;
    }
    const call = `${method} ${path}`;
    if (!calls.has(call)) {
      answer(response, [...calls].some((one) => one.endsWith(` ${path}`)) ? 405 : 404);
      return;
    }
    const channel = channelShown(request);
    if (channel === undefined) {
      answer(response, 401, 'This is not a key: send 256 bits as a bearer token.');
      return;
    }
    await this.#call(call, channel, { request, response, text });
  }

  async #call(call: string, channel: string, exchange: Exchange): Promise<void> {
    const { request, response, text } = exchange;
    if (call === 'PUT /v1/channel') {
      await this.#open(channel, request, response);
      return;
    }
    if (!(await this.#channels.isOpen(channel))) {
      answer(response, 404, 'The address of this key is not open.');
      return;
    }
    if (call === 'GET /v1/deliveries') await this.#read(channel, request, response);
    if (call === 'POST /v1/acks') {
      const read = v.safeParse(v.pipe(v.string(), v.parseJson(), acksSchema), text);
      if (read.success) await this.#engine.acknowledge(channel, read.output.seqs);
      answer(response, read.success ? 204 : 400);
    }
    if (call === 'DELETE /v1/channel') {
      await this.#engine.close(channel);
      this.#channels.remember(channel, undefined);
      this.#log({ event: 'channel closed', channel: shortly(channel) });
      answer(response, 204);
    }
  }

  async #open(channel: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { joinToken } = this.#options;
    const shown = headerOf(request.rawHeaders, joinHeader) ?? '';
    // guard S144: Only who knows the team's token opens a channel.
    if (joinToken !== undefined && !isKey(shown, joinToken)) {
      this.#log({ event: 'join refused', channel: shortly(channel) });
      answer(
        response,
        403,
        shown === ''
          ? 'This relay needs the token of its team: send it as X-Runhook-Join.'
          : "This is not the token of this relay's team.",
      );
      return;
    }
    try {
      this.#channels.remember(channel, await this.#engine.open(channel));
    } catch (error) {
      if (!(error instanceof TooManyChannelsError)) throw error;
      this.#log({ event: 'too many channels' });
      answer(response, 503, 'The relay has as many addresses open as it may have.');
      return;
    }
    this.#log({ event: 'channel opened', channel: shortly(channel) });
    const opened: OpenedChannel = {
      address: `${this.#publicUrl(request)}/in/${channel}/`,
      keptDays,
      keptMost: this.#engine.limits.keptMost,
    };
    const json = JSON.stringify(opened);
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(json),
    });
    response.end(json);
  }

  async #read(channel: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = new ReaderSession(this.#engine, channel, response, this.#readersRoom);
    const [first, ...others] = [...this.#sessions].filter((one) => one.channel === channel);
    // guard S161: Who has a key takes eight connections at most; the one that came last is the one that lives.
    if (first !== undefined && others.length + 1 >= mostReaders) {
      this.#sessions.delete(first);
      first.end();
    }
    this.#sessions.add(session);
    this.#log({ event: 'reader came', channel: shortly(channel) });
    // It gets an answer that lasts: when it closes its side it has gone.
    this.#senders.answerLate(request.socket);
    try {
      await session.run(await this.#losses.of(channel));
    } finally {
      this.#sessions.delete(session);
      this.#log({ event: 'reader left', channel: shortly(channel) });
    }
  }

  #publicUrl({ rawHeaders }: IncomingMessage): string {
    const { publicUrl } = this.#options;
    // It is told to whoever has the key, so the proxy in front may say how that came.
    const scheme = headerOf(rawHeaders, 'x-forwarded-proto') === 'https' ? 'https' : 'http';
    return publicUrl?.replace(/\/$/, '') ?? `${scheme}://${headerOf(rawHeaders, 'host') ?? ''}`;
  }

  #count(outcome: Outcome): void {
    this.#counts[outcome] += 1;
  }

  /** Writes an entry, unless there were many of its kind since the last summary: anybody can cause some of them. */
  #log(entry: RelayLogEntry): void {
    const lines = (this.#lines.get(entry.event) ?? 0) + 1;
    this.#lines.set(entry.event, lines);
    // guard S160: The log has at most 20 lines of an event a minute.
    if (lines <= mostLines) this.#options.log(entry);
  }

  #summarize(): void {
    const [counts, lines] = [this.#counts, [...this.#lines.values()]];
    this.#counts = noCounts();
    this.#lines.clear();
    const notLogged = lines.reduce((sum, count) => sum + Math.max(0, count - mostLines), 0);
    if (Object.values(counts).some((count) => count > 0) || notLogged > 0) {
      this.#options.log({ event: 'summary', ...counts, notLogged, readers: this.#sessions.size });
    }
  }
}

interface WantedPost {
  channel: string;
  path: string;
  opened: OpenRequest;
  refuse: (status: number, reason: string) => void;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  text: string;
}

const calls: ReadonlySet<string> = new Set([
  'PUT /v1/channel',
  'DELETE /v1/channel',
  'GET /v1/deliveries',
  'POST /v1/acks',
]);

function noCounts(): Record<Outcome, number> {
  return { taken: 0, unknown: 0, full: 0, busy: 0, failed: 0, refused: 0 };
}

/** The channel of the key that a reader shows. */
function channelShown({ rawHeaders }: IncomingMessage): string | undefined {
  const [, shown = ''] = /^Bearer (\S+)$/i.exec(headerOf(rawHeaders, 'authorization') ?? '') ?? [];
  const key = readRelayKey(shown);
  return key && channelOf(key);
}

/** Enough of a channel to tell it from others: whoever knows all of it may post to it. */
// guard S145: The log has the beginning of a channel, and no body.
function shortly(channel: string): string {
  return channel.slice(0, 6);
}
