import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { heartbeatMs, type RelayLine, type RelayLosses } from '../deliveries/relayProtocol.ts';
import type { Engine, Pulled } from './engine.ts';
import { readMessage } from './message.ts';

/** How much is asked for at a time where more than one delivery waits: the largest fits. */
const messagesAtOnce = 200;
const bytesAtOnce = 16 * 1024 * 1024;
/** How long one request waits for a delivery, in milliseconds: a leader that was killed does not answer it. */
const idleMs = 10_000;
/** How many readers may have so many bytes in memory at a time. The others get one delivery at a time meanwhile. */
const mostRequests = 32;
/** How long a reader may leave what it got unacknowledged, as a multiple of the time until that comes again. */
const patience = 1.5;

/** One reader of a channel: it gets deliveries as lines, and acknowledges them by calls of their own. */
export class ReaderSession {
  static #requests = 0;
  readonly #engine: Engine;
  readonly channel: string;
  readonly #response: ServerResponse;
  /** What the reader got and has not acknowledged, by its place, with the time at which it got it, in milliseconds. */
  readonly #unread = new Map<number, { at: number; reply: string }>();
  readonly #left = new AbortController();

  constructor(engine: Engine, channel: string, response: ServerResponse) {
    this.#engine = engine;
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
    const ignore = this.#engine.onAcknowledged(this.channel, (seqs) => {
      for (const seq of seqs) this.#unread.delete(seq);
    });
    const beat = setInterval(() => this.#beat(), heartbeatMs);
    try {
      let waiting = 0;
      while (!this.#left.signal.aborted) {
        const isAlone = waiting < 2 || ReaderSession.#requests >= mostRequests;
        waiting = isAlone ? await this.#passOne() : await this.#passSeveral();
      }
    } finally {
      clearInterval(beat);
      ignore();
      this.end();
      // The next reader need not wait until they come again by themselves.
      const replies = [...this.#unread.values()].map(({ reply }) => reply);
      await this.#engine.giveBack(replies).catch(() => undefined);
    }
  }

  end(): void {
    this.#left.abort();
    this.#response.end();
  }

  /** @returns how many more wait */
  async #passOne(): Promise<number> {
    const left = this.#left.signal;
    let waiting = 0;
    for await (const pulled of this.#engine.pull(this.channel, { messages: 1, waitMs: idleMs }, left)) {
      waiting = pulled.waiting;
      await this.#pass(pulled);
    }
    return waiting;
  }

  /** The same, as many as fit. */
  async #passSeveral(): Promise<number> {
    const left = this.#left.signal;
    let waiting = 0;
    ReaderSession.#requests += 1;
    try {
      const most = { messages: messagesAtOnce, bytes: bytesAtOnce, waitMs: 0 };
      for await (const pulled of this.#engine.pull(this.channel, most, left)) {
        waiting = pulled.waiting;
        await this.#pass(pulled);
      }
    } finally {
      ReaderSession.#requests -= 1;
    }
    return waiting;
  }

  async #pass({ seq, reply, data }: Pulled): Promise<void> {
    this.#unread.set(seq, { at: performance.now(), reply });
    if (this.#left.signal.aborted || this.#write({ seq, ...readMessage(data) })) return;
    await once(this.#response, 'drain', { signal: this.#left.signal }).catch(() => undefined);
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
