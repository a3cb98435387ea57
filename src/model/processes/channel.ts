import { type Failure, failureOf, revive } from './failure.ts';

/** The requests that one side may send: by name, what a request takes and what its reply gives. */
export type Calls = Record<string, { takes: unknown; gives: unknown }>;

/**
 * The handlers for requests of the other side. If a handler throws, the request rejects on the other side. A handler
 * whose reply is null may return anything.
 */
export type Handlers<In extends Calls> = {
  [K in keyof In]: (
    takes: In[K]['takes'],
  ) => [In[K]['gives']] extends [null] ? unknown : In[K]['gives'] | Promise<In[K]['gives']>;
};

/** A message port: that of a worker thread, or a fake one in a test. */
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
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #explain: (error: unknown) => unknown;
  #lastId = 0;
  #closed: Error | undefined;

  /** @param explain maps the error of a handler to the one that the other side gets */
  constructor(port: Port, handlers: Handlers<In>, explain: (error: unknown) => unknown = (error) => error) {
    this.#port = port;
    this.#handlers = handlers;
    this.#explain = explain;
    port.on('message', (message) => {
      // Both ends are ours and were built together: what arrives is a Message.
      void this.#receive(message as Message);
    });
  }

  /** Sends a request. Rejects with the failure of the other side, or with the reason why the channel was closed. */
  request<K extends keyof Out & string>(name: K, takes: Out[K]['takes']): Promise<Out[K]['gives']> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    this.#lastId += 1;
    const id = this.#lastId;
    const reply = Promise.withResolvers<unknown>();
    this.#pending.set(id, reply);
    this.#post({ kind: 'request', id, name, takes });
    return reply.promise;
  }

  /** Rejects all pending requests, and every later one. */
  close(reason: Error): void {
    this.#closed ??= reason;
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  async #receive(message: Message): Promise<void> {
    if (message.kind === 'request') return this.#serve(message.id, message.name, message.takes);
    const waiting = this.#pending.get(message.id);
    this.#pending.delete(message.id);
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
