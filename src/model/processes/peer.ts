import type { Calls, Handlers } from './channel.ts';
import { type Failure, failureOf, revive } from './failure.ts';

/** The part of a vscode-jsonrpc connection that is used here. */
export interface Wire {
  sendRequest(method: string, params: object): Promise<unknown>;
  onRequest(handler: (method: string, params: unknown) => Promise<unknown>): unknown;
  onClose(listener: () => void): unknown;
  onError(listener: (error: unknown) => void): unknown;
  listen(): void;
  /** Ends the connection; pending requests are rejected. */
  dispose(): void;
}

type Reply = { gives: unknown } | { failure: Failure };

/** Requests with replies, both ways, between two programs. A UserError arrives as a UserError. */
export class Peer<Out extends Calls, In extends Calls> {
  readonly #wire: Wire;
  readonly #closed = Promise.withResolvers<undefined>();
  /** Resolves when the connection has ended, for whatever reason. */
  readonly closed = this.#closed.promise;
  #isClosed = false;
  /** The other side is gone; messages that it sent before are still being read. */
  #isEnding = false;
  /** How many messages have been read. */
  #readCount = 0;

  /** @param mayAsk throws if a request with that name must not be answered */
  constructor(wire: Wire, handlers: Handlers<In>, mayAsk: (name: string) => void = () => undefined) {
    this.#wire = wire;
    wire.onRequest(async (name, params): Promise<Reply> => {
      this.#readCount += 1;
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
    wire.onClose(() => void this.#drainAndClose());
    // An error in reading or writing is followed by the end of the connection.
    wire.onError(() => void this.#drainAndClose());
    wire.listen();
  }

  /** Sends a request. Rejects with the failure of the other side, or if the connection ends before the reply. */
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
    // Rejects the pending requests.
    this.#wire.dispose();
  }

  /**
   * Reads the remaining messages, then closes. The wire delivers one message per turn of the event loop, also those
   * that arrived together with the end.
   */
  async #drainAndClose(): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    let quietTurns = 0;
    while (quietTurns < 2) {
      const countBefore = this.#readCount;
      await new Promise((resolve) => setTimeout(resolve, 0));
      quietTurns = this.#readCount === countBefore ? quietTurns + 1 : 0;
    }
    this.close();
  }

  async #reply(name: string, params: object): Promise<Reply> {
    try {
      // Both ends are ours: what comes back is a Reply.
      const reply = (await this.#wire.sendRequest(name, params)) as Reply;
      this.#readCount += 1;
      return reply;
    } catch (error) {
      throw this.#isClosed || this.#isEnding ? new ConnectionEndedError() : error;
    }
  }
}

/** The other program is gone. */
export class ConnectionEndedError extends Error {
  constructor() {
    super('The connection to the listener program has ended.');
    this.name = 'ConnectionEndedError';
  }
}
