import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { createMessageConnection, SocketMessageReader, SocketMessageWriter } from 'vscode-jsonrpc/node';
import { ConnectionEndedError, Peer } from '../../../../src/model/processes/peer.ts';

type Asks = { stop: { takes: null; gives: null } };
type Tells = { news: { takes: number; gives: null } };

/** What a program writes that tells some news, replies, tells more, and ends: all of it comes in one piece. */
function lastWords(requestId: unknown, news: number): string {
  const tell = (takes: number) => ({ jsonrpc: '2.0', id: takes, method: 'news', params: { takes } });
  const before = Array.from({ length: news }, (_, at) => tell(at));
  const messages = [...before, { jsonrpc: '2.0', id: requestId, result: { gives: null } }, tell(news)];
  return messages
    .map((message) => JSON.stringify(message))
    .map((text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
    .join('');
}

describe('the last words of a program that ends', () => {
  let server: Server;
  afterEach(() => void server.close());

  for (const news of [0, 1, 5, 50]) {
    it(`are read, though the connection has ended already: ${news} messages and a reply`, async () => {
      server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', (bytes) => {
          const [, text = ''] = bytes.toString().split('\r\n\r\n');
          socket.end(lastWords((JSON.parse(text) as { id: unknown }).id, news));
        });
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      const wire = createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket));
      const told: number[] = [];
      const peer = new Peer<Asks, Tells>(wire, { news: (one) => told.push(one) });
      assert.equal(await peer.request('stop', null), null);
      await peer.closed;
      assert.deepEqual(
        told,
        Array.from({ length: news + 1 }, (_, at) => at),
      );
      await assert.rejects(peer.request('stop', null), ConnectionEndedError);
    });
  }
});
