import { type Failure, failureOf, revive } from './failure.ts';

/** What one side may ask of the other: by name, what a request takes and what its reply gives. */
export type Calls = Record<string, { takes: unknown; gives: unknown }>;

/**
 * The handlers of what the other side asks. A handler that throws makes the request reject over there; what one gives
 * whose reply is null is not looked at.
 */
export type Handlers<In extends Calls> = {
  [K in keyof In]: (
    takes: In[K]['takes'],
  ) => [In[K]['gives']] extends [null] ? unknown : In[K]['gives'] | Promise<In[K]['gives']>;
};

/** A message port: that of a worker thread, or one made for a test. */
export interface Port {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

type Message =
  | { kind: 'request'; id: number; name: string; takes: unknown }
  | { kind: 'reply'; id: number; gives: unknown }
  | { kind: 'failure'; id: number; failure: Failure };

/** Requests with replies, both ways over one port. */
export class Channel<Out extends Calls, In extends Calls> {
  readonly #port: Port;
  readonly #handlers: Handlers<In>;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #explain: (error: unknown) => unknown;
  #lastId = 0;
  #closed: Error | undefined;

  /** @param explain what the other side is told of a handler that failed */
  constructor(port: Port, handlers: Handlers<In>, explain: (error: unknown) => unknown = (error) => error) {
    this.#port = port;
    this.#handlers = handlers;
    this.#explain = explain;
    port.on('message', (message) => {
      // Both ends are ours and were built together: what arrives is a Message.
      void this.#receive(message as Message);
    });
  }

  /** Asks the other side. Rejects with its failure, or with the reason for which the channel was closed. */
  request<K extends keyof Out & string>(name: K, takes: Out[K]['takes']): Promise<Out[K]['gives']> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    this.#lastId += 1;
    const id = this.#lastId;
    const reply = Promise.withResolvers<unknown>();
    this.#waiting.set(id, reply);
    this.#post({ kind: 'request', id, name, takes });
    return reply.promise;
  }

  /** Rejects whatever waits for a reply, and every later request. */
  close(reason: Error): void {
    this.#closed ??= reason;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }

  async #receive(message: Message): Promise<void> {
    if (message.kind === 'request') return this.#serve(message.id, message.name, message.takes);
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'reply') waiting?.resolve(message.gives);
    else waiting?.reject(revive(message.failure));
  }

  async #serve(id: number, name: string, takes: unknown): Promise<void> {
    try {
      const handler = this.#handlers[name];
      if (handler === undefined) throw new Error(`Nobody answers "${name}".`);
      const given: unknown = handler(takes);
      this.#post({ kind: 'reply', id, gives: await given });
    } catch (error) {
      this.#post({ kind: 'failure', id, failure: failureOf(this.#explain(error)) });
    }
  }

  #post(message: Message): void {
    if (this.#closed === undefined) this.#port.postMessage(message);
  }
}
