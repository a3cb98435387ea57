import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { heartbeatMs, type RelayLine, type RelayLosses } from '../deliveries/relayProtocol.ts';
import { BodyShare, type BodyRoom } from '../listener/intake/incomingBody.ts';
import type { Engine, Pulled } from './engine.ts';
import { readMessage } from './message.ts';

/** How much is asked for at a time where more than one delivery waits: the largest fits. */
const messagesAtOnce = 200;
const bytesAtOnce = 16 * 1024 * 1024;
/** How many readers of a relay may have so much in memory. The others get small deliveries one by one meanwhile. */
export const readersShare = 8 * bytesAtOnce;
/** The size of the largest delivery that each reader may have in memory, in bytes. */
const mostAlone = 16 * 1024;
/** How long one request waits for a delivery, in milliseconds: a leader that was killed does not answer it. */
const idleMs = 10_000;
/** How long a reader may leave what it got unacknowledged, as a multiple of the time until that comes again. */
const patience = 1.5;

/** How many deliveries wait, or that the next one needs room. */
type Next = number | 'large';

/** One reader of a channel: it gets deliveries as lines, and acknowledges them by calls of their own. */
export class ReaderSession {
  readonly #engine: Engine;
  readonly channel: string;
  readonly #response: ServerResponse;
  readonly #room: BodyRoom;
  /** What the reader got and has not acknowledged, by its place, with the time at which it first got it, in milliseconds. */
  readonly #unread = new Map<number, { at: number; reply: string }>();
  readonly #left = new AbortController();

  /** @param room that of all readers of the relay, of {@link readersShare} bytes */
  constructor(engine: Engine, channel: string, response: ServerResponse, room: BodyRoom) {
    this.#engine = engine;
    this.#room = room;
    this.channel = channel;
    this.#response = response;
    response.once('close', () => this.#left.abort());
  }

  /** Sends what waits and what comes, until the reader has gone or {@link end} is called. */
  async run(losses: RelayLosses | undefined): Promise<void> {
    this.#response.writeHead(200, {
      'Content-Type': 'application/x-ndjson',
      'Cache-Control': 'no-store',
      // Proxies such as nginx would hold lines back.
      'X-Accel-Buffering': 'no',
    });
    this.#write({ heartbeat: true });
    if (losses !== undefined) this.#write({ losses });
    const { ackMs } = this.#engine.limits;
    const ignore = this.#engine.onAcknowledged(this.channel, (seqs) => this.#acknowledged(seqs));
    const beat = setInterval(() => this.#beat(), Math.min(heartbeatMs, ackMs));
    try {
      let next: Next = 0;
      while (!this.#left.signal.aborted) next = await this.#passNext(next);
    } finally {
      clearInterval(beat);
      this.end();
      // What it has stored may still be acknowledged, at whichever relay.
      setTimeout(ignore, ackMs).unref();
      // The next reader need not wait until they come again by themselves.
      const replies = [...this.#unread.values()].map(({ reply }) => reply);
      await this.#engine.settle(replies, false).catch(() => undefined);
    }
  }

  end(): void {
    this.#left.abort();
    this.#response.end();
  }

  async #passNext(next: Next): Promise<Next> {
    const left = this.#left.signal;
    const share = new BodyShare(this.#room);
    try {
      if (next === 'large') await this.#waitForRoom(share);
      else if (next > 1) takeRoom(share);
      if (left.aborted) return 0;
      const several = { messages: messagesAtOnce, bytes: bytesAtOnce, waitMs: 0 };
      const most = share.large > 0 ? several : { messages: 1, waitMs: idleMs };
      let waiting = 0;
      for await (const pulled of this.#engine.pull(this.channel, most, left)) {
        // guard S173: Large deliveries have a bounded room in memory, whoever reads slowly.
        if (share.large === 0 && pulled.data.byteLength > mostAlone && !takeRoom(share)) {
          await this.#engine.settle([pulled.reply], false);
          return 'large';
        }
        waiting = pulled.waiting;
        await this.#pass(pulled);
      }
      return waiting;
    } finally {
      share.free();
    }
  }

  /** Waits in turn, until the reader has gone. */
  async #waitForRoom(share: BodyShare): Promise<void> {
    const granted = new AbortController();
    share.askForLarge(bytesAtOnce, () => granted.abort());
    await once(this.#left.signal, 'abort', { signal: granted.signal }).catch(() => undefined);
  }

  async #pass({ seq, reply, data }: Pulled): Promise<void> {
    // The engine hands it over again, to the same reader if there is no other.
    const { at } = this.#unread.get(seq) ?? { at: performance.now() };
    this.#unread.set(seq, { at, reply });
    if (this.#left.signal.aborted || this.#write({ seq, ...readMessage(data) })) return;
    await once(this.#response, 'drain', { signal: this.#left.signal }).catch(() => undefined);
  }

  // guard S175: A reader acknowledges what it was handed: the engine would let go of what is in other channels as well.
  #acknowledged(seqs: readonly number[]): void {
    const replies = seqs.flatMap((seq) => this.#unread.get(seq)?.reply ?? []);
    for (const seq of seqs) this.#unread.delete(seq);
    // What the engine does not hear comes again, and is acknowledged then.
    this.#engine.settle(replies, true).catch(() => undefined);
  }

  /** @returns whether more may be written */
  #write(line: RelayLine): boolean {
    return this.#response.write(`${JSON.stringify(line)}\n`);
  }

  #beat(): void {
    const [oldest] = this.#unread.values();
    const late = this.#engine.limits.ackMs * patience;
    // guard S143: A reader that acknowledges nothing is left, and what it got goes to another one.
    if (oldest !== undefined && performance.now() - oldest.at > late) this.#response.destroy();
    else if (!this.#response.writableNeedDrain) this.#write({ heartbeat: true });
  }
}

/** Takes room if there is some at once. */
function takeRoom(share: BodyShare): boolean {
  share.askForLarge(bytesAtOnce, () => undefined);
  if (share.isWaiting) share.free();
  return share.large > 0;
}
