import { setTimeout as pause } from 'node:timers/promises';
import {
  AckPolicy,
  type ConsumerInfo,
  DiscardPolicy,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { connect, createInbox, type Msg, nanos, type NatsConnection } from '@nats-io/transport-node';
import { keptDays, keptMost, mostRelayedBytes, openDays } from '../deliveries/relayProtocol.ts';

const stream = 'RUNHOOK';
/** What is noted of channels besides, for as long as they stay open unread. */
const noteStream = 'RUNHOOK_NOTES';
/** How many notes of a kind a channel has; then the oldest go. */
const mostNotes = 500;
const dayMs = 24 * 3600 * 1000;

/** The times and limits of the engine. Tests shorten them. */
export const engineLimits = {
  /** How long a delivery waits for its reader, in milliseconds. */
  keptMs: keptDays * dayMs,
  keptMost,
  /** A channel that nobody has read for so long is closed, in milliseconds. */
  openMs: openDays * dayMs,
  /** What a reader has not acknowledged by then comes again, in milliseconds. */
  ackMs: 30_000,
  /** How many deliveries of a channel may be on their way to its readers. */
  unacknowledged: 1000,
  /** How many channels may be open: each takes memory of every node. Set when the engine is used for the first time. */
  mostChannels: 20_000,
  /** How long a post may wait for the engine, in milliseconds. */
  takeMs: 10_000,
  /** How long a relay collects what it notes of channels, in milliseconds. */
  noteMs: 10_000,
  /** How long a relay takes a channel for open before it asks again, in milliseconds. */
  knownMs: 10_000,
};
export type EngineLimits = typeof engineLimits;

/** How long one try of a post may take, in milliseconds: a new leader answers at the next. */
const tryMs = 3000;
const retryMs = 200;
/** How long the engine may take to say that there is nothing, in milliseconds. */
const answerMs = 5000;
/** For how long an answer of the engine counts, in milliseconds. */
const answerFreshMs = 1000;
/** How often the engine is asked to have the stream until it does, in milliseconds. */
const setUpMs = 500;

/** NATS has an error code for each reason: https://github.com/nats-io/nats-server/blob/main/server/errors.json */
const maximumMessagesPerSubject = 10_077;
const maximumConsumers = 10_026;

/** A channel holds as many deliveries as it may. */
export class ChannelFullError extends Error {
  override readonly name = 'ChannelFullError';
}

/** There are as many channels as there may be. */
export class TooManyChannelsError extends Error {
  override readonly name = 'TooManyChannelsError';
}

/** A delivery from the engine. */
export interface Pulled {
  /** Its place in the stream. */
  seq: number;
  /** How many more of its channel wait. */
  waiting: number;
  /** Where the engine hears what becomes of it. */
  reply: string;
  data: Uint8Array;
}

/** What is known of an open channel. */
export interface ChannelState {
  /** How many deliveries wait for its reader, or for its acknowledgement. */
  waiting: number;
  /** All up to this number were read, or are gone. */
  settledUntil: number;
}

export interface EngineOptions {
  /** `nats://host:port`, several of a cluster. */
  servers: readonly string[];
  /** How many nodes have each delivery. */
  replicas: number;
  limits?: EngineLimits;
  /** Called when the engine is there, and when it is away, with the reason. */
  onState?: (isThere: boolean, why: string) => void;
}

/**
 * NATS JetStream, which keeps the deliveries until they are read: one stream for all, one durable consumer a channel.
 * Replication, redelivery and most limits are its own.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly limits: EngineLimits;
  #nats: NatsConnection | undefined;
  #publisher: JetStreamClient | undefined;
  #manager: JetStreamManager | undefined;
  #isThere = false;
  #answers: Promise<boolean> | undefined;
  #isClosed = false;
  /** Aborted when the connection is lost. */
  #connection = new AbortController();
  /** Resolves when the engine has been there once. */
  readonly ready: Promise<void>;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.limits = options.limits ?? engineLimits;
    this.ready = this.#setUp();
  }

  /** The largest message that it takes, in bytes; undefined before it was there. */
  get mostBytes(): number | undefined {
    return this.#nats?.info?.max_payload;
  }

  /** Whether it answers. It is asked once a second at most, since anybody may have it asked. */
  async answers(): Promise<boolean> {
    if (!this.#isThere) return false;
    if (this.#answers === undefined) {
      const info = this.#use().manager.streams.info(stream);
      this.#answers = info.then(
        () => true,
        () => false,
      );
      setTimeout(() => (this.#answers = undefined), answerFreshMs).unref();
    }
    return this.#answers;
  }

  /**
   * Keeps a delivery. Resolves once as many nodes have it as the engine was told, and not before.
   * @param id a repeat with the same id, within two minutes, is kept once
   * @throws ChannelFullError, or an error if it was not acknowledged in time
   */
  async take(channel: string, message: Uint8Array, id: string): Promise<number> {
    const { publisher } = this.#use();
    const until = performance.now() + this.limits.takeMs;
    for (;;) {
      const left = until - performance.now();
      try {
        const timeout = Math.max(1, Math.min(tryMs, left));
        const { duplicate, seq } = await publisher.publish(subjectOf(channel), message, {
          msgID: id,
          timeout,
          retries: 0,
        });
        // A leader that knows the id and has no place for it yet has it from a try that is under way.
        if (!duplicate || seq > 0) return seq;
      } catch (error) {
        if (isError(error, maximumMessagesPerSubject))
          throw new ChannelFullError('The channel is full.', { cause: error });
        if (left < retryMs || this.#isClosed) throw error;
      }
      if (until - performance.now() < retryMs) throw new Error('The engine did not acknowledge it in time.');
      await pause(retryMs);
    }
  }

  /** Opens a channel, or keeps it open. @throws TooManyChannelsError */
  async open(channel: string): Promise<ChannelState> {
    const { ackMs, openMs, unacknowledged } = this.limits;
    const consumer = {
      durable_name: channel,
      filter_subject: subjectOf(channel),
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ackMs),
      inactive_threshold: nanos(openMs),
      max_ack_pending: unacknowledged,
    };
    try {
      return stateOf(await this.#use().manager.consumers.add(stream, consumer));
    } catch (error) {
      if (!isError(error, maximumConsumers)) throw error;
      throw new TooManyChannelsError('There are too many channels.', { cause: error });
    }
  }

  /** Closes a channel, and removes what waits in it. */
  async close(channel: string): Promise<void> {
    const { consumers, streams } = this.#use().manager;
    await consumers.delete(stream, channel).catch((error: unknown) => {
      if (!isUnknown(error)) throw error;
    });
    await streams.purge(stream, { filter: subjectOf(channel) });
    for (const kind of noteKinds) await this.removeNotes(kind, channel);
  }

  /** The state of a channel; undefined if it is not open. */
  async state(channel: string): Promise<ChannelState | undefined> {
    try {
      return stateOf(await this.#use().manager.consumers.info(stream, channel));
    } catch (error) {
      if (isUnknown(error)) return undefined;
      throw error;
    }
  }

  /**
   * Asks once for deliveries of a channel.
   * @param most how many, how many bytes of them, and for how long to wait for the first, in milliseconds
   * @param left aborted when they are not wanted any more: what comes after that is given back
   * @throws Error if the channel is not open any more
   */
  async *pull(
    channel: string,
    most: { messages: number; bytes?: number; waitMs: number },
    left: AbortSignal,
  ): AsyncGenerator<Pulled> {
    const { nats } = this.#use();
    // What is asked meanwhile would be sent, all of it, once it is there again.
    if (!this.#isThere) {
      await pause(retryMs);
      return;
    }
    const { messages, bytes, waitMs } = most;
    const arrived: (Msg | 'over')[] = [];
    let wake = (): void => undefined;
    const push = (what: Msg | 'over'): void => {
      arrived.push(what);
      wake();
    };
    const over = (): void => push('over');
    let isWanted = true;
    let isOver = false;
    const inbox = createInbox();
    const subscription = nats.subscribe(inbox, {
      callback: (_, message) => (isWanted ? push(message) : this.#giveBack([message])),
    });
    const request = {
      batch: messages,
      max_bytes: bytes,
      ...(waitMs === 0 ? { no_wait: true } : { expires: nanos(waitMs) }),
    };
    nats.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${channel}`, JSON.stringify(request), { reply: inbox });
    // A leader that was killed answers nothing. What is on its way comes before the engine's next word.
    const timer = setTimeout(() => void nats.flush().then(over, over), waitMs + answerMs);
    const connection = this.#connection.signal;
    connection.addEventListener('abort', over);
    left.addEventListener('abort', over);
    try {
      for (let count = 0; !isOver;) {
        const message = arrived.shift();
        if (message === 'over') return;
        if (message === undefined) {
          await new Promise<void>((resolve) => (wake = resolve));
          continue;
        }
        const { code = 0, description = '' } = message.headers ?? {};
        if (code === 0) count += 1;
        isOver = count === messages || code > 100;
        if (code === 0) yield { ...placeOf(message), data: message.data };
        else if (isEnd(description)) throw new Error(`The channel was closed: ${description}`);
        // There is no leader at the moment.
        else if (code === 503) await pause(retryMs);
      }
    } finally {
      clearTimeout(timer);
      connection.removeEventListener('abort', over);
      left.removeEventListener('abort', over);
      if (isOver) {
        subscription.unsubscribe();
      } else {
        // The engine still hands over what it was asked for. Where nobody heard that, it would keep it for ackMs.
        isWanted = false;
        this.#giveBack(arrived);
        setTimeout(() => subscription.unsubscribe(), waitMs + this.limits.ackMs).unref();
      }
    }
  }

  /**
   * Calls back when deliveries of a channel were acknowledged, at whichever relay. Not all of it may be heard of.
   * @returns a function that ends it
   */
  onAcknowledged(channel: string, heard: (seqs: readonly number[]) => void): () => void {
    const subscription = this.#use().nats.subscribe(acknowledgedSubject(channel), {
      callback: (_, message) => heard(message.json<number[]>()),
    });
    return () => subscription.unsubscribe();
  }

  /** A reader has deliveries of a channel. The relay that handed them over hears of it, and has them settled. */
  async acknowledge(channel: string, seqs: readonly number[]): Promise<void> {
    const { nats } = this.#use();
    nats.publish(acknowledgedSubject(channel), JSON.stringify(seqs));
    await nats.flush();
  }

  /**
   * Deliveries were read, and never come again; or were not, and come again at once.
   * @param replies those with which they came
   */
  async settle(replies: readonly string[], wereRead: boolean): Promise<void> {
    const { nats } = this.#use();
    for (const reply of replies) nats.publish(reply, wereRead ? '+ACK' : '-NAK');
    await nats.flush();
  }

  #giveBack(messages: readonly (Msg | 'over')[]): void {
    const isDelivery = (one: Msg | 'over'): one is Msg => one !== 'over' && (one.headers?.code ?? 0) === 0;
    const replies = messages.filter(isDelivery).map(({ reply = '' }) => reply);
    this.settle(replies, false).catch(() => undefined);
  }

  /** Notes something of a channel. */
  async note(kind: NoteKind, channel: string, value: unknown): Promise<void> {
    await this.#use().publisher.publish(noteSubject(kind, channel), JSON.stringify(value));
  }

  /** What was noted of a channel, the oldest first. */
  async notes(kind: NoteKind, channel: string): Promise<Note[]> {
    const { streams } = this.#use().manager;
    const notes: Note[] = [];
    for (let from = 1; notes.length < mostNotes;) {
      const query = { next_by_subj: noteSubject(kind, channel), seq: from };
      const found = await streams.getMessage(noteStream, query).catch(() => null);
      if (found === null) break;
      notes.push({ seq: found.seq, at: found.time.getTime(), value: found.json() });
      from = found.seq + 1;
    }
    return notes;
  }

  /** Removes the notes of a kind, or those before a place. */
  async removeNotes(kind: NoteKind, channel: string, before?: number): Promise<void> {
    const filter = noteSubject(kind, channel);
    await this.#use().manager.streams.purge(
      noteStream,
      before === undefined ? { filter } : { filter, seq: before },
    );
  }

  async end(): Promise<void> {
    this.#isClosed = true;
    // An engine that stands still would be waited for without end.
    await Promise.race([this.#nats?.drain(), pause(answerMs)]).catch(() => undefined);
    await this.#nats?.close();
  }

  #use(): { nats: NatsConnection; publisher: JetStreamClient; manager: JetStreamManager } {
    if (this.#nats === undefined || this.#publisher === undefined || this.#manager === undefined) {
      throw new Error('The engine is not there yet.');
    }
    return { nats: this.#nats, publisher: this.#publisher, manager: this.#manager };
  }

  async #setUp(): Promise<void> {
    const { servers } = this.#options;
    const nats = await connect({
      servers: [...servers],
      name: 'runhook relay',
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      // A node that is gone is noticed before a post gives up.
      pingInterval: 5000,
      ...(servers.some((one) => one.startsWith('tls:')) && { tls: {} }),
    });
    void this.#watch(nats);
    // A cluster elects its leader first.
    while (!this.#isClosed) {
      try {
        const manager = await jetstreamManager(nats);
        await this.#haveStream(manager);
        this.#nats = nats;
        this.#manager = manager;
        this.#publisher = jetstream(nats);
        this.#tell(true, '');
        return;
      } catch (error) {
        this.#tell(false, String(error));
        await pause(setUpMs);
      }
    }
  }

  async #haveStream({ streams }: JetStreamManager): Promise<void> {
    const { replicas } = this.#options;
    const { keptMs, openMs, keptMost: most, mostChannels } = this.limits;
    const config = {
      subjects: [subjectOf('*')],
      storage: StorageType.File,
      // What was acknowledged is gone: the limits count what is unread.
      retention: RetentionPolicy.Workqueue,
      num_replicas: replicas,
      max_age: nanos(keptMs),
      max_msgs_per_subject: most,
      // guard S141: What was acknowledged to the service is never pushed out by what comes after.
      discard: DiscardPolicy.New,
      discard_new_per_subject: true,
      max_msg_size: mostRelayedBytes + headBytes,
      duplicate_window: nanos(Math.min(keptMs, 2 * 60_000)),
    };
    // guard S162: Only so many channels are opened as the engine has memory for.
    await haveStream(streams, stream, config, { max_consumers: mostChannels });
    await haveStream(streams, noteStream, {
      subjects: noteKinds.map((kind) => noteSubject(kind, '*')),
      storage: StorageType.File,
      num_replicas: replicas,
      max_age: nanos(openMs),
      max_msgs_per_subject: mostNotes,
    });
  }

  async #watch(nats: NatsConnection): Promise<void> {
    for await (const { type } of nats.status()) {
      if (type === 'disconnect') {
        this.#connection.abort();
        this.#connection = new AbortController();
        this.#tell(false, 'disconnected');
      }
      if (type === 'reconnect' && this.#publisher !== undefined) this.#tell(true, '');
    }
  }

  #tell(isThere: boolean, why: string): void {
    if (this.#isClosed) return;
    this.#isThere = isThere;
    this.#options.onState?.(isThere, why);
  }
}

/** How much more than its body a delivery takes: Node reads heads of up to 16 KiB. */
export const headBytes = 64 * 1024;

function subjectOf(channel: string): string {
  return `in.${channel}`;
}

/** What is noted: the places of what was taken, and how many posts a full channel has turned away. */
export const noteKinds = ['taken', 'full'] as const;
export type NoteKind = (typeof noteKinds)[number];

export interface Note {
  /** Its place among all notes. */
  seq: number;
  /** Unix milliseconds. */
  at: number;
  value: unknown;
}

function noteSubject(kind: NoteKind, channel: string): string {
  return `${kind}.${channel}`;
}

async function haveStream(
  streams: JetStreamManager['streams'],
  name: string,
  config: Partial<StreamConfig> & { subjects: string[] },
  /** What the engine changes of no stream that is there. */
  fixed: Partial<StreamConfig> = {},
): Promise<void> {
  try {
    await streams.info(name);
    await streams.update(name, config);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    await streams.add({ name, ...config, ...fixed });
  }
}

function stateOf({
  num_pending: pending,
  num_ack_pending: unread,
  ack_floor: floor,
}: ConsumerInfo): ChannelState {
  return { waiting: pending + unread, settledUntil: floor.stream_seq };
}

/** The stream does not keep what is published here. */
function acknowledgedSubject(channel: string): string {
  return `acknowledged.${channel}`;
}

/** `$JS.ACK.<stream>.<consumer>.<delivered>.<stream sequence>.<consumer sequence>.<time>.<pending>` */
function placeOf({ reply = '' }: Msg): Omit<Pulled, 'data'> {
  const parts = reply.split('.');
  return { seq: Number(parts.at(-4)), waiting: Number(parts.at(-1)), reply };
}

function isEnd(description: string): boolean {
  return /consumer deleted|stream deleted|consumer not found/i.test(description);
}

function isError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}

function isUnknown(error: unknown): boolean {
  const unknown: number[] = [JetStreamApiCodes.ConsumerNotFound, JetStreamApiCodes.StreamNotFound];
  return error instanceof JetStreamApiError && unknown.includes(error.code);
}
