import type { Calls, Handlers } from './channel.ts';
import { type Failure, failureOf, revive } from './failure.ts';

/** A connection of vscode-jsonrpc, so far as this needs it. */
export interface Wire {
  sendRequest(method: string, params: object): Promise<unknown>;
  onRequest(handler: (method: string, params: unknown) => Promise<unknown>): unknown;
  onClose(listener: () => void): unknown;
  onError(listener: (error: unknown) => void): unknown;
  listen(): void;
  /** Ends the connection; what waits for a reply over there is let go of. */
  dispose(): void;
}

type Reply = { gives: unknown } | { failure: Failure };

/** Requests with replies, both ways, between two programs. An expected error arrives as the one that it was. */
export class Peer<Out extends Calls, In extends Calls> {
  readonly #wire: Wire;
  readonly #closed = Promise.withResolvers<undefined>();
  /** Resolves when the connection has ended, however that came about. */
  readonly closed = this.#closed.promise;
  #isClosed = false;
  /** The other side has gone; what it said before is still being read. */
  #isEnding = false;
  /** How many messages have been read. */
  #read = 0;

  /** @param mayAsk throws where a request of that name is not to be answered */
  constructor(wire: Wire, handlers: Handlers<In>, mayAsk: (name: string) => void = () => undefined) {
    this.#wire = wire;
    wire.onRequest(async (name, params): Promise<Reply> => {
      this.#read += 1;
      try {
        mayAsk(name);
        const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
        if (handler === undefined) throw new Error(`Nobody answers "${name}".`);
        // Both ends are ours, and speak one version of the protocol.
        const { takes } = params as { takes: In[string]['takes'] };
        const given: unknown = handler(takes);
        return { gives: (await given) ?? null };
      } catch (error) {
        return { failure: failureOf(error) };
      }
    });
    wire.onClose(() => void this.#readLastWords());
    // What cannot be read or written is followed by the end of the connection.
    wire.onError(() => void this.#readLastWords());
    wire.listen();
  }

  /** Asks the other side. Rejects with its failure, or where the connection ends before the reply. */
  async request<K extends keyof Out & string>(name: K, takes: Out[K]['takes']): Promise<Out[K]['gives']> {
    if (this.#isClosed || this.#isEnding) throw new ConnectionEndedError();
    const reply = await this.#reply(name, { takes });
    if ('failure' in reply) throw revive(reply.failure);
    return reply.gives;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closed.resolve(undefined);
    // Whoever waits for a reply is told.
    this.#wire.dispose();
  }

  /** The wire hands over one message a turn of the event loop, also those that came together with the end. */
  async #readLastWords(): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    let quietTurns = 0;
    while (quietTurns < 2) {
      const before = this.#read;
      await new Promise((resolve) => setTimeout(resolve, 0));
      quietTurns = this.#read === before ? quietTurns + 1 : 0;
    }
    this.close();
  }

  async #reply(name: string, params: object): Promise<Reply> {
    try {
      // Both ends are ours: what comes back is a Reply.
      const reply = (await this.#wire.sendRequest(name, params)) as Reply;
      this.#read += 1;
      return reply;
    } catch (error) {
      throw this.#isClosed || this.#isEnding ? new ConnectionEndedError() : error;
    }
  }
}

/** The other program has gone. */
export class ConnectionEndedError extends Error {
  constructor() {
    super('The connection to the listener program has ended.');
    this.name = 'ConnectionEndedError';
  }
}
