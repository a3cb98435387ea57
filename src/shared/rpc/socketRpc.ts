import type { Socket } from 'node:net';
import * as v from 'valibot';
import { messageSchema } from './messageSchema.ts';
import { type Handlers, type Rpc, type RpcOptions, connectRpc } from './rpc.ts';

/** One end of a connection between two programs. */
export interface SocketRpc<Calls extends object> extends Omit<Rpc<Calls>, 'close'> {
  /** Resolves when the connection has ended, for whatever reason. All that had arrived before was handled. */
  readonly closed: Promise<void>;
  /** Ends the connection. */
  readonly close: () => void;
}

/** The longest message, in characters. A string of JavaScript can be a little longer. */
const longestMessage = 500_000_000;

const lineSchema = v.pipe(v.string(), v.parseJson(), messageSchema);

export interface SocketRpcOptions extends Pick<RpcOptions, 'check'> {
  /** The longest message that is taken now, in characters; undefined for as long as a string can be. */
  longest?: () => number | undefined;
}

/** Calls both ways over a socket, a line of JSON for each message. What is none, or too long, ends the connection. */
export function connectSocketRpc<Remote extends object, Local>(
  socket: Socket,
  handlers: Handlers<Local>,
  { check, longest }: SocketRpcOptions = {},
): SocketRpc<Remote> {
  const end = (): void => void socket.destroy();
  const post = (message: unknown) => socket.write(`${JSON.stringify(message)}\n`);
  const onMessage = (listener: (message: unknown) => void): void => {
    let line = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      const [first = '', ...others] = text.split('\n');
      const lines = [line + first, ...others];
      line = lines.pop() ?? '';
      for (const whole of lines) {
        const read = v.safeParse(lineSchema, whole);
        if (!read.success) {
          end();
          return;
        }
        listener(read.output);
      }
      if (line.length > (longest?.() ?? longestMessage)) end();
    });
  };
  const { call, close } = connectRpc<Remote, Local>({ post, onMessage }, handlers, { check });
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  void closed.then(() => close(new ConnectionEndedError()));
  socket.on('error', end);
  return {
    call,
    closed,
    close() {
      close(new ConnectionEndedError());
      end();
    },
  };
}

/** The other program is gone. */
export class ConnectionEndedError extends Error {
  override readonly name = 'ConnectionEndedError';

  constructor() {
    super('The connection to the listener program has ended.');
  }
}
