import { type BirpcReturn, createBirpc } from 'birpc';
import type { Failure, Message } from './messageSchema.ts';
import { UserError } from '../text/userError.ts';

/**
 * The handlers of the calls that one side answers: an interface with a function for each. What a handler throws, the
 * call of the other side rejects with. A handler of a call that gives nothing may return anything.
 */
export type Handlers<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (...takes: infer Takes) => infer Gives
    ? (...takes: Takes) => [undefined] extends [Gives] ? unknown : Gives | Promise<Gives>
    : never;
};

/** A port for messages: that of a worker thread, a webview or a socket. What it gives to the listener is a message. */
export interface Port {
  post(message: unknown): unknown;
  onMessage(listener: (message: unknown) => void): unknown;
}

/** The port of a worker thread, at either end. */
export function threadPort(thread: {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}): Port {
  return {
    post: (message) => thread.postMessage(message),
    onMessage: (listener) => thread.on('message', listener),
  };
}

export interface RpcOptions {
  /** Checks a call of the other side before it is handled; returns what the handler gets. What it throws is the answer. */
  check?: (name: string, takes: unknown) => unknown;
  /** Maps the error of a handler to the one that the other side gets. */
  explain?: (error: unknown) => unknown;
}

/** The calls of the other side, each as a function that sends it. */
export type Remote<Calls extends object> = BirpcReturn<Calls>;

/** One end of a connection. */
export interface Rpc<Calls extends object> {
  /** The calls of the other side. They reject with the failure there, or with the reason why the connection was closed. */
  readonly call: Remote<Calls>;
  /** Rejects all pending calls, and every later one. */
  readonly close: (reason: Error) => void;
}

/** Calls both ways over a port. Both ends are of one build, so their types are those of the protocol. */
export function connectRpc<Remote extends object, Local>(
  port: Port,
  handlers: Handlers<Local>,
  { check = (_name, takes) => takes, explain = (error) => error }: RpcOptions = {},
): Rpc<Remote> {
  let closed: Error | undefined;
  const handle = (name: string, takes: unknown): unknown => {
    const taken = check(name, takes);
    if (!Object.hasOwn(handlers, name)) throw new Error(`Nobody answers "${name}".`);
    return (handlers as Record<string, (taken: unknown) => unknown>)[name]?.(taken);
  };
  const call = createBirpc<Remote>(handlers, {
    post(message) {
      if (closed !== undefined) throw closed;
      port.post(message);
    },
    // Returns nothing, which would be waited for: the first call is sent at once too.
    on: (receive) => void port.onMessage(receive),
    serialize: (message: object) =>
      'e' in message ? { ...message, e: failureOf(explain(message.e)) } : message,
    deserialize: (message: Message) =>
      message.t === 's' && message.e !== undefined ? { ...message, e: revive(message.e) } : message,
    resolver: (name) => (takes: unknown) => handle(name, takes),
    timeout: -1,
    // An answer that cannot be sent becomes a failure; a call that cannot be sent rejects.
    onGeneralError: (_error, answered) => answered !== undefined,
  });
  return {
    call,
    close(reason) {
      closed ??= reason;
      void call.$rejectPendingCalls(({ reject }) => reject(reason));
    },
  };
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), forUser: false };
  return {
    message: error.message,
    forUser: error instanceof UserError,
    remedies: error instanceof UserError && error.remedies.length > 0 ? error.remedies : undefined,
    code: 'code' in error && typeof error.code === 'string' ? error.code : undefined,
    stack: error.stack,
  };
}

export function revive({ message, forUser, remedies = [], code, stack }: Failure): Error {
  const error = forUser ? new UserError(message, { remedies }) : new Error(message);
  if (code !== undefined) Object.assign(error, { code });
  if (stack !== undefined) error.stack = stack;
  return error;
}
