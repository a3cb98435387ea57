import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { SandboxServer } from '../../../../src/sandbox/sandboxServer.ts';
import { Receiver } from '../../../support/http/receiver.ts';
import { startSandboxServer } from '../../../support/service/startSandboxServer.ts';

describe('a call that asks for another protocol', () => {
  let app: Receiver;
  let hook: Receiver;
  let sandbox: SandboxServer;

  beforeEach(async () => {
    app = await Receiver.start();
    hook = await Receiver.start();
    sandbox = await startSandboxServer({ mine: app.url });
  });
  afterEach(async () => {
    await sandbox.close();
    await app.close();
    await hook.close();
  });

  const send = async (text: string): Promise<Socket> => {
    const socket = connect(Number(new URL(sandbox.address.baseUrl).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  const bearer = () => `Authorization: Bearer ${sandbox.address.token}\r\n`;
  const upgrade = (target: string, headers = bearer()) =>
    send(
      `GET /v4/${sandbox.address.projectId}${target}?webhookEndpoint=${encodeURIComponent(hook.url)}&x=1 HTTP/1.1\r\n` +
        'Host: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: abc\r\n' +
        `${headers}\r\n`,
    );
  const next = async (socket: Socket) => ((await once(socket, 'data')) as [Buffer])[0].toString();
  const whole = async (socket: Socket) => (await buffer(socket)).toString();

  it('is answered as ever where that is not a websocket (RFC 9110, section 7.8)', async () => {
    const offer =
      'Host: h\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n';
    const { projectId } = sandbox.address;
    for (const name of ['echo', 'mine']) {
      const answer = await whole(
        await send(
          `POST /v4/${projectId}/${name}/run HTTP/1.1\r\n${offer}${bearer()}Content-Length: 4\r\n\r\nbody`,
        ),
      );
      assert.match(answer, /^HTTP\/1\.1 200 /, name);
    }
    assert.equal(app.received[0]!.body.toString(), 'body');
  });

  it('passes a websocket to the app, both ways, and never to a webhook', async () => {
    app.onUpgrade((incoming, socket) => {
      assert.equal(incoming.url, '/socket?x=1');
      assert.equal(incoming.headers['sec-websocket-key'], 'abc');
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      socket.on('data', (data: Buffer) => socket.write(`echo ${data.toString()}`));
      socket.on('end', () => socket.end());
      socket.on('error', () => socket.destroy());
    });
    const socket = await upgrade('/mine/socket');
    assert.match(await next(socket), /^HTTP\/1\.1 101 /);
    socket.write('hi');
    assert.equal(await next(socket), 'echo hi');
    socket.destroy();
    assert.deepEqual(hook.received, []);
  });

  it('gets the answer of an app that declines it', async () => {
    app.otherwise = (_, response) => response.writeHead(403).end('no');
    assert.match(await whole(await upgrade('/mine/socket')), /^HTTP\/1\.1 403 [^]*\r\n\r\nno$/);
  });

  it('breaks off where the answer of an app that declines it does', async () => {
    app.otherwise = (_, response) => {
      response.writeHead(403, { 'Content-Length': 100 });
      response.write('half', () => response.destroy());
    };
    assert.match(await whole(await upgrade('/mine/socket')), /\r\n\r\nhalf$/);
  });

  it('has the bytes of the headers of the answer', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
    app.onUpgrade((_, socket) => socket.end(Buffer.from(`${head}X-Name: caf\xe9\r\n\r\n`, 'latin1')));
    const answer = await buffer(await upgrade('/mine/socket'));
    assert.match(answer.toString('latin1'), /X-Name: caf\xe9\r\n/);
  });

  it('lets go of an app that declines it without end, once the caller has gone', async () => {
    const left = Promise.withResolvers<undefined>();
    app.otherwise = (_, response) => {
      const endless = Readable.from(
        (function* () {
          for (;;) yield Buffer.alloc(1024);
        })(),
      );
      pipeline(endless, response.writeHead(403), () => left.resolve(undefined));
    };
    const socket = await upgrade('/mine/socket');
    await next(socket);
    socket.destroy();
    await left.promise;
  });

  it('gets 501 of a built-in app, and 404 where there is no such app', async () => {
    assert.match(await whole(await upgrade('/echo/run')), /^HTTP\/1\.1 501 /);
    assert.match(await whole(await upgrade('/nothing/run')), /^HTTP\/1\.1 404 /);
  });

  it('needs the token too', async () => {
    assert.match(await whole(await upgrade('/mine/socket', '')), /^HTTP\/1\.1 401 /);
    assert.deepEqual(app.received, []);
  });
});
