import assert from 'node:assert/strict';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { connectRpc, type Handlers, type Rpc, threadPort } from '../../../src/shared/rpc/rpc.ts';
import { UserError } from '../../../src/shared/text/userError.ts';
import { ConnectionEndedError, connectSocketRpc, type SocketRpc } from '../../../src/shared/rpc/socketRpc.ts';

interface Questions {
  double(number: number): number;
  fail(word: string): void;
  failForUser(): void;
  failInSystem(): void;
  giveWhatCannotBeSent(): unknown;
  wait(): void;
}

describe('calls between threads', () => {
  let ports: { port1: MessagePort; port2: MessagePort };
  let asks: Rpc<Questions>;
  beforeEach(() => {
    ports = new MessageChannel();
    asks = connectRpc<Questions, object>(threadPort(ports.port1), {});
    connectRpc<object, Questions>(threadPort(ports.port2), {
      double: async (number) => Promise.resolve(number * 2),
      fail: (word) => {
        throw new Error(word);
      },
      failForUser: () => {
        throw new UserError('There is no delivery 1.', { remedies: [{ kind: 'showLog' }] });
      },
      failInSystem: () => {
        throw Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' });
      },
      giveWhatCannotBeSent: () => () => undefined,
      wait: () => new Promise(() => undefined),
    });
  });
  afterEach(() => ports.port1.close());

  it('each get the answer that is theirs', async () => {
    assert.deepEqual(await Promise.all([1, 2, 3].map((n) => asks.call.double(n))), [2, 4, 6]);
  });

  it('reject with the failure of the other side, and with an error for the user as one', async () => {
    await assert.rejects(asks.call.fail('a word'), { message: 'a word' });
    await assert.rejects(asks.call.fail('a word'), (error) => !(error instanceof UserError));
    await assert.rejects(asks.call.failForUser(), (error) => {
      assert.ok(error instanceof UserError);
      assert.deepEqual(error.remedies, [{ kind: 'showLog' }]);
      return error.message === 'There is no delivery 1.';
    });
    await assert.rejects(asks.call.failInSystem(), { code: 'EADDRINUSE' });
  });

  it('reject where nobody answers, whatever every object has', async () => {
    for (const name of ['unknown', 'constructor', '__proto__']) {
      await assert.rejects(asks.call.$call(name as 'double', 1), new RegExp(`Nobody answers "${name}"`));
    }
  });

  it('reject where the answer cannot be sent', async () => {
    await assert.rejects(asks.call.giveWhatCannotBeSent(), /could not be cloned/);
    assert.equal(await asks.call.double(1), 2);
  });

  it('reject when the connection is closed, and after that', async () => {
    const waiting = asks.call.wait();
    asks.close(new Error('The thread has ended.'));
    await assert.rejects(waiting, /The thread has ended/);
    await assert.rejects(asks.call.double(1), /The thread has ended/);
  });
});

interface Asks {
  stop(): void;
}
interface Tells {
  news(news: number): void;
}

const line = (message: object): string => `${JSON.stringify(message)}\n`;
const news = (number: number): string => line({ t: 'q', i: `news ${number}`, m: 'news', a: [number] });
const reply = (id: unknown): string => line({ t: 's', i: id });

describe('a connection between two programs', () => {
  let server: Server;
  let socket: Socket;
  afterEach(() => {
    socket.destroy();
    server.close();
  });

  /** Connects to a program that does this with the id of the first call. */
  async function connected(
    onCall: (other: Socket, id: unknown) => void,
    handlers: Handlers<Tells> = { news: () => undefined },
  ): Promise<SocketRpc<Asks>> {
    server = createServer((other) => {
      other.on('error', () => undefined);
      other.once('data', (bytes) => onCall(other, (JSON.parse(bytes.toString()) as { i: unknown }).i));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    return connectSocketRpc<Asks, Tells>(socket, handlers, { longest: () => 1000 });
  }

  for (const count of [0, 1, 5, 50]) {
    it(`reads the last words of a program that ends: ${count} messages, a reply and another message`, async () => {
      const told: number[] = [];
      const numbers = Array.from({ length: count }, (_, at) => at);
      const peer = await connected(
        (other, id) => other.end([...numbers.map(news), reply(id), news(count)].join('')),
        { news: (one) => told.push(one) },
      );
      await peer.call.stop();
      await peer.closed;
      assert.deepEqual(told, [...numbers, count]);
      await assert.rejects(peer.call.stop(), ConnectionEndedError);
    });
  }

  it('reads a message that comes in pieces, and those after it', async () => {
    const told: number[] = [];
    const peer = await connected(
      (other, id) => {
        other.setNoDelay(true);
        const bytes = Buffer.from(news(1) + reply(id));
        let at = 0;
        const timer = setInterval(() => {
          other.write(bytes.subarray(at, (at += 5)));
          if (at >= bytes.length) clearInterval(timer);
        }, 1);
      },
      { news: (one) => told.push(one) },
    );
    await peer.call.stop();
    assert.deepEqual(told, [1]);
  });

  it('rejects what waits when the other program vanishes', async () => {
    const peer = await connected((other) => other.resetAndDestroy());
    await assert.rejects(peer.call.stop(), ConnectionEndedError);
    await peer.closed;
  });

  it('rejects what waits when it is closed here', async () => {
    const peer = await connected(() => peer.close());
    await assert.rejects(peer.call.stop(), ConnectionEndedError);
    await peer.closed;
    await assert.rejects(peer.call.stop(), ConnectionEndedError);
  });

  const refused: [string, string][] = [
    ['is not JSON', 'GET / HTTP/1.1\n'],
    ...[null, 42, 'stop', [], {}, { t: 'q' }, { t: 's', i: 'x', e: 1 }, { t: '__proto__', i: 'x' }].map(
      (data): [string, string] => [`is no message: ${JSON.stringify(data)}`, `${JSON.stringify(data)}\n`],
    ),
    ['is longer than it may be', 'x'.repeat(2000)],
  ];
  for (const [what, text] of refused) {
    it(`ends where something comes that ${what}`, async () => {
      const peer = await connected((other) => other.write(text));
      await assert.rejects(peer.call.stop(), ConnectionEndedError);
      await peer.closed;
    });
  }
});
