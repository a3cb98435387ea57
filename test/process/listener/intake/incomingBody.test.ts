import assert from 'node:assert/strict';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BodyRoom, HeldRequest, IncomingBody } from '../../../../src/listener/intake/incomingBody.ts';

describe('a body on its way in', () => {
  let server: Server;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('waits for its turn after each 512 pieces, however small they are', async () => {
    const rests: number[] = [];
    let read = 0;
    const room = new BodyRoom();
    const whole = new Promise<Buffer>((resolve) => {
      server = createServer({ IncomingMessage: HeldRequest }, (came) => {
        came.on('data', () => (read += 1));
        const body = new IncomingBody(came, {
          room,
          makeRoom: () => undefined,
          leave: (socket) => socket.destroy(),
          inTurn: (work) => {
            rests.push(read);
            setImmediate(() => work(() => undefined));
          },
        });
        body.read(
          1 << 20,
          () => undefined,
          (end) => {
            if (end.kind === 'whole') resolve(end.body);
          },
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const sender = request({ port, host: '127.0.0.1', method: 'POST' }).on('error', () => undefined);
    const text = 'abcdefg'.repeat(10_000);
    for (const byte of text) sender.write(byte);
    sender.end();
    assert.equal((await whole).toString(), text);
    // What is read with one call, 64 KB, is 11,000 such pieces at most.
    assert.ok(rests.length >= 6, `${rests.length}`);
  });
});
