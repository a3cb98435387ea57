import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { replay } from '../../../src/deliveries/replay.ts';
import { keptBytes, sendRequest, textOf } from '../../../src/deliveries/sendRequest.ts';
import { startHastyApp } from '../../support/http/hastyApp.ts';
import { waitFor } from '../../support/time/waitFor.ts';

describe('a delivery on its way to an app', () => {
  let app: Server | undefined;
  /** The connections that were made, and those that are open. */
  let connections: { made: number; open: number };

  async function answering(answer: RequestListener): Promise<URL> {
    connections = { made: 0, open: 0 };
    app = createServer(answer);
    app.on('connection', (socket) => {
      connections.made += 1;
      connections.open += 1;
      socket.on('error', () => undefined).on('close', () => (connections.open -= 1));
    });
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    return new URL(`http://127.0.0.1:${(app.address() as AddressInfo).port}`);
  }
  const send = (url: URL) => sendRequest({ url, method: 'POST', rawHeaders: [], body: Buffer.from('{}') });
  afterEach(() => {
    app?.closeAllConnections();
    app?.close();
  });

  it('has a connection of its own: an app that stood at a breakpoint resets those that it kept', async () => {
    const url = await answering((request, response) => request.resume().on('end', () => response.end('ok')));
    for (let count = 1; count <= 3; count += 1) {
      assert.equal((await send(url)).status, 200);
      assert.equal(connections.made, count);
    }
  });

  it('has its answer decoded, as far as it is kept, and says where that cannot be', async () => {
    const page = Buffer.from('{"error": "no prompt"}\n'.repeat(10_000));
    const [short, long, broken] = ['{"error": 1}', page, 'not gzip'].map((text, at) =>
      at === 2 ? Buffer.from(text) : gzipSync(text),
    );
    const bodies = [short, long, broken];
    const url = await answering((request, response) => {
      request
        .resume()
        .on('end', () => response.writeHead(500, { 'Content-Encoding': 'gzip' }).end(bodies.shift()));
    });
    const { status, body, bytes, rawHeaders } = await send(url);
    assert.deepEqual([status, body.toString(), bytes], [500, '{"error": 1}', 12]);
    assert.ok(rawHeaders.includes('Content-Encoding'));
    const start = await send(url);
    assert.ok(start.body.equals(page.subarray(0, keptBytes)));
    assert.equal(start.bytes, page.length);
    const lie = await send(url);
    assert.deepEqual([lie.body.toString(), lie.bytes], ['not gzip', 8]);
    assert.match(lie.rawHeaders.at(-1) ?? '', /as it came: it is not gzip/);
  });

  it('has its answer as text in the character set that it names', async () => {
    const text = 'Fehler: größe';
    const answers = [
      ['text/plain; charset=iso-8859-1', Buffer.from(text, 'latin1')],
      ['text/html;charset="UTF-16LE"', Buffer.from(text, 'utf16le')],
      ['text/plain; charset=nobody-knows', Buffer.from(text)],
      ['text/plain', Buffer.from(text, 'latin1')],
      ['application/octet-stream', Buffer.from([0, 1, 2])],
    ] as const;
    const left = [...answers];
    const url = await answering((request, response) => {
      const [type, body] = left.shift()!;
      request.resume().on('end', () => response.writeHead(500, { 'Content-Type': type }).end(body));
    });
    const texts: string[] = [];
    for (const _ of answers) {
      const { body, rawHeaders } = await send(url);
      texts.push(textOf(body, rawHeaders));
    }
    assert.deepEqual(texts, [text, text, text, '', '']);
  });

  it('has the answer of an app that does not read what is sent', async () => {
    const hasty = await startHastyApp();
    try {
      const url = new URL(hasty.url);
      const request = { url, method: 'POST', rawHeaders: [], body: Buffer.alloc(10 << 20) };
      for (let round = 0; round < 5; round += 1) {
        const answers = await Promise.all(Array.from({ length: 6 }, () => sendRequest(request)));
        assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]));
      }
    } finally {
      hasty.stop();
    }
  });

  it('is held no longer, but for the last six, for apps that have answered and not read it', async () => {
    const url = await answering(() => undefined);
    const body = Buffer.alloc(10 << 20);
    const apps: { socket: Socket; bytes: number }[] = [];
    app?.removeAllListeners('connection').on('connection', (socket: Socket) => {
      const one = { socket, bytes: 0 };
      apps.push(one);
      socket.on('error', () => undefined).on('data', (chunk) => (one.bytes += chunk.length));
      socket.on('end', () => socket.destroy());
      // The start of it arrives. The rest is read later.
      socket.once('data', () => socket.pause().write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n'));
    });
    const request = { url, method: 'POST', rawHeaders: [], body };
    for (let count = 0; count < 12; count += 1) assert.equal((await sendRequest(request)).status, 413);
    for (const { socket } of apps) socket.resume();
    await waitFor('the end of all', () => apps.every(({ socket }) => socket.destroyed));
    const whole = apps.map(({ bytes }) => bytes > body.length);
    assert.deepEqual(whole, [...Array<boolean>(6).fill(false), ...Array<boolean>(6).fill(true)]);
  });

  it('leaves no more than 32 answers open that are never ended', async () => {
    const url = await answering((_, response) => response.write('ok'));
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(url)));
    assert.ok(answers.every(({ status, body }) => status === 200 && body.toString() === 'ok'));
    await waitFor('the oldest to be closed', () => connections.open === 32);
  });

  it('may stand at a breakpoint for as long as it takes where it is replayed, unless whoever replays it has no such patience', async () => {
    const url = await answering((request, response) => request.resume().on('end', () => response.end('ok')));
    const delivery = { method: 'POST', rawHeaders: [], body: Buffer.from('{}') };
    const timeout = Object.getOwnPropertyDescriptor(AbortSignal, 'timeout')!;
    const limits: number[] = [];
    // All that has a limit is past it at once.
    AbortSignal.timeout = (ms) => {
      limits.push(ms);
      return AbortSignal.abort(new DOMException('The time is over.', 'TimeoutError'));
    };
    try {
      const send = (limit: { limitMs?: number }) =>
        replay(delivery, url.href, undefined, { now: Date.now, ...limit });
      assert.equal((await send({})).status, 200);
      await assert.rejects(send({ limitMs: 30_000 }));
      assert.deepEqual(limits, [30_000]);
    } finally {
      Object.defineProperty(AbortSignal, 'timeout', timeout);
    }
  });
});
