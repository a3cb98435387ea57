import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import type { SandboxServer } from '../../../../src/service/sandbox/sandboxServer.ts';
import { Receiver } from '../../../support/http/receiver.ts';
import { startSandboxServer } from '../../../support/service/startSandboxServer.ts';
import { startHastyApp } from '../../../support/http/hastyApp.ts';

describe("the user's own app behind the proxy", () => {
  let app: Receiver;
  let hook: Receiver;
  let sandbox: SandboxServer;
  let log: string[];

  beforeEach(async () => {
    log = [];
    app = await Receiver.start();
    hook = await Receiver.start();
    sandbox = await startSandboxServer({ mine: app.url, based: `${app.url}/base/` }, log);
  });
  afterEach(async () => {
    await sandbox.close();
    await app.close();
    await hook.close();
    assert.ok(log.every((line) => line.endsWith('; delivered.')));
  });

  const url = (target: string, name = 'mine') =>
    `${sandbox.address.proxyUrl}/v4/${sandbox.address.projectId}/${name}${target}`;
  const authorization = () => `Bearer ${sandbox.address.token}`;
  const hookQuery = () => `webhookEndpoint=${encodeURIComponent(hook.url)}`;
  const webhook = async () =>
    JSON.parse((await hook.count(1))[0]!.body.toString()) as Record<string, unknown>;

  it('gets method, path, query and body as the caller wrote them', async () => {
    for (const [method, target, expected] of [
      ['POST', '/run', '/run'],
      ['GET', '/v1/a%2Fb/c%20d?x=1&y=a+b&x=2', '/v1/a%2Fb/c%20d?x=1&y=a+b&x=2'],
      ['DELETE', '', '/'],
      ['PUT', `/put?x=1&${hookQuery()}&y=2`, '/put?x=1&y=2'],
      ['PATCH', `/p?${hookQuery()}`, '/p'],
    ] as const) {
      const sent = {
        headers: { authorization: authorization() },
        ...(method !== 'GET' && { body: 'as it is' }),
      };
      const answer = await request(url(target), { method, ...sent });
      await answer.body.dump();
      const received = app.received.at(-1)!;
      assert.equal(received.method, method);
      assert.equal(received.path, expected);
      assert.equal(received.body.toString(), method === 'GET' ? '' : 'as it is');
    }
  });

  it('is asked for an answer that is not compressed where a webhook holds it', async () => {
    app.otherwise = ({ headers }, response) => {
      const isAsked = /gzip/.test(headers['accept-encoding'] ?? '');
      response.writeHead(200, {
        'Content-Type': 'application/json',
        ...(isAsked && { 'Content-Encoding': 'gzip' }),
      });
      response.end(isAsked ? gzipSync('{"ok":true}') : '{"ok":true}');
    };
    const headers = { authorization: authorization(), 'accept-encoding': 'gzip' };
    const answer = await request(url(`/run?${hookQuery()}`), { method: 'POST', headers });
    assert.deepEqual(await answer.body.json(), { ok: true });
    const { result, result_encoding: encoding } = await webhook();
    assert.deepEqual([result, encoding], [{ ok: true }, undefined]);
    const direct = await request(url('/run'), { method: 'POST', headers });
    assert.equal(direct.headers['content-encoding'], 'gzip');
    await direct.body.dump();
  });

  it('has what it said in the webhook, though it compresses unasked, and the caller has its bytes', async () => {
    const sent = gzipSync('{"ok":true}');
    app.otherwise = (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(sent);
    const headers = { authorization: authorization() };
    const answer = await request(url(`/run?${hookQuery()}`), { method: 'POST', headers });
    assert.deepEqual(Buffer.from(await answer.body.arrayBuffer()), sent);
    assert.deepEqual((await webhook())['result'], { ok: true });
  });

  it('gets a body whose length nobody knows beforehand, whatever the method', async () => {
    for (const method of ['GET', 'DELETE', 'POST', 'PROPFIND']) {
      const answer = await request(url('/run'), {
        method: method,
        headers: { authorization: authorization() },
        body: Readable.from(['as ', 'it ', 'is']),
      });
      await answer.body.dump();
      assert.equal(answer.statusCode, 200, method);
      assert.equal(app.received.at(-1)!.body.toString(), 'as it is', method);
    }
  });

  it('gets no body where the caller sent none', async () => {
    for (const method of ['GET', 'DELETE', 'POST']) {
      const socket = connect(Number(new URL(sandbox.address.proxyUrl).port), '127.0.0.1');
      socket.write(
        `${method} ${new URL(url('/run')).pathname} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nAuthorization: ${authorization()}\r\n\r\n`,
      );
      assert.match((await buffer(socket)).toString(), /^HTTP\/1\.1 200 /);
      assert.equal(app.received.at(-1)!.headers['transfer-encoding'], undefined, method);
    }
  });

  it('is called below the path of its address', async () => {
    const answer = await request(url('/run', 'based'), { headers: { authorization: authorization() } });
    await answer.body.dump();
    assert.equal(app.received[0]!.path, '/base/run');
  });

  it('gets the headers, but none that is between the caller and the service', async () => {
    const headers = {
      authorization: authorization(),
      'X-Webhook-Secret': 'held',
      'X-Own': 'mine',
      'X-Sandbox-Fault': 'none',
      Cookie: 'a=b',
    };
    await (await request(url('/run'), { method: 'POST', headers, body: 'x' })).body.dump();
    const [received] = app.received;
    assert.equal(received!.headers['x-own'], 'mine');
    assert.equal(received!.headers.cookie, 'a=b');
    assert.equal(received!.headers.host, new URL(app.url).host);
    for (const name of ['authorization', 'x-webhook-secret', 'x-sandbox-fault']) {
      assert.equal(received!.headers[name], undefined, name);
    }
  });

  it('has its status, headers and body passed through, with the id of the run beside them', async () => {
    app.otherwise = (_, response) => {
      response.writeHead(418, 'Short and stout', [
        'Set-Cookie',
        'a=1',
        'Set-Cookie',
        'b=2',
        'X-Own',
        'yes',
        'X-Run-Id',
        'not this',
      ]);
      response.end('tea');
    };
    const answer = await request(url(`/run?${hookQuery()}`), {
      method: 'POST',
      headers: { authorization: authorization() },
    });
    assert.equal(answer.statusCode, 418);
    assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2']);
    assert.equal(answer.headers['x-own'], 'yes');
    assert.equal(await answer.body.text(), 'tea');
    const sent = await webhook();
    assert.equal(sent['run_id'], answer.headers['x-run-id']);
    assert.deepEqual([sent['status'], sent['result'], sent['app_name']], [418, 'tea', 'mine']);
  });

  it('has what it answers in JSON, in text and in bytes put into the webhook', async () => {
    const answers = [
      ['application/json', '{"a":[1]}', { result: { a: [1] } }],
      ['application/problem+json; charset=utf-8', '{"a":1}', { result: { a: 1 } }],
      ['application/json', '{"broken', { result: '{"broken' }],
      ['text/plain', '3', { result: '3' }],
      ['image/png', Buffer.from([0xff, 0x00]), { result: '/wA=', result_encoding: 'base64' }],
      ['text/plain', '', { result: '' }],
    ] as const;
    for (const [index, [type, body, expected]] of answers.entries()) {
      app.otherwise = (_, response) => response.writeHead(200, { 'Content-Type': type }).end(body);
      const answer = await request(url(`/run?${hookQuery()}`), {
        headers: { authorization: authorization() },
      });
      assert.deepEqual(await buffer(answer.body), Buffer.from(body));
      const received = (await hook.count(index + 1))[index]!;
      const { run_id, app_name, status, timestamp, ...rest } = JSON.parse(received.body.toString()) as Record<
        string,
        unknown
      >;
      assert.ok(run_id && app_name && status && timestamp);
      assert.deepEqual(rest, expected);
    }
  });

  it('streams: what it sends arrives before it sends more', async () => {
    const body = new PassThrough();
    app.otherwise = (_, response) => {
      response.writeHead(200).flushHeaders();
      body.pipe(response);
    };
    const answer = await request(url(`/run?${hookQuery()}`), { headers: { authorization: authorization() } });
    for (const piece of ['one', 'two', 'three']) {
      body.write(piece);
      const [chunk] = (await once(answer.body, 'data')) as [Buffer];
      assert.equal(chunk.toString(), piece);
    }
    assert.deepEqual(hook.received, []);
    body.end();
    await once(answer.body, 'end');
    assert.equal((await webhook())['result'], 'onetwothree');
  });

  it('takes a stream: what the caller sends arrives before the caller sends more', async () => {
    const arrived = new PassThrough();
    const streaming = await Receiver.start();
    sandbox.state.setApps({ mine: streaming.url });
    // Takes the request over before its body has come.
    streaming.raw = (incoming, response) => {
      incoming.pipe(arrived);
      incoming.on('end', () => response.end('done'));
    };
    const body = new PassThrough();
    const answering = request(url('/run'), {
      method: 'POST',
      headers: { authorization: authorization() },
      body,
    });
    for (const piece of ['one', 'two']) {
      body.write(piece);
      const [chunk] = (await once(arrived, 'data')) as [Buffer];
      assert.equal(chunk.toString(), piece);
    }
    body.end();
    assert.equal(await (await answering).body.text(), 'done');
    await streaming.close();
  });

  it('that does not answer is a 502 that says so, and the webhook too', async () => {
    app.otherwise = 'drop';
    const answer = await request(url(`/run?${hookQuery()}`), {
      method: 'POST',
      headers: { authorization: authorization() },
    });
    assert.equal(answer.statusCode, 502);
    const body = (await answer.body.json()) as { result: { error: string } };
    assert.match(body.result.error, new RegExp(`${app.url} did not respond: .*\\. Check that it runs`));
    assert.deepEqual(await webhook(), body);
  });

  it('that breaks off is broken off for the caller, and the webhook says so', async () => {
    app.otherwise = (_, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('half', () => response.destroy());
    };
    const answer = await request(url(`/run?${hookQuery()}`), { headers: { authorization: authorization() } });
    await assert.rejects(answer.body.text());
    const { result, error } = await webhook();
    assert.equal(result, 'half');
    assert.match(String(error), /broke off/);
  });

  it('is left alone once the caller has gone, unless a webhook waits for its answer', async () => {
    const closed: Promise<unknown>[] = [];
    app.otherwise = (_, response) => {
      closed.push(once(response, 'close'));
      response.writeHead(200).write('first');
    };
    const answer = await request(url('/run'), { headers: { authorization: authorization() } });
    answer.body.on('error', () => undefined).destroy();
    await app.count(1);
    await Promise.all(closed);

    const body = new PassThrough();
    app.otherwise = (_, response) => {
      response.writeHead(200).flushHeaders();
      body.pipe(response);
    };
    body.write('first');
    const other = await request(url(`/run?${hookQuery()}`), { headers: { authorization: authorization() } });
    other.body.on('error', () => undefined).destroy();
    body.end('last');
    assert.equal((await webhook())['result'], 'firstlast');
  });

  it('is let go where the caller breaks off halfway, even if a webhook is wanted', async () => {
    const broken = Promise.withResolvers<boolean>();
    app.raw = (incoming) => incoming.on('close', () => broken.resolve(!incoming.complete)).resume();
    const socket = connect(Number(new URL(sandbox.address.proxyUrl).port), '127.0.0.1');
    const { pathname } = new URL(url('/run'));
    socket.write(
      `POST ${pathname}?${hookQuery()} HTTP/1.1\r\nHost: h\r\nAuthorization: ${authorization()}\r\n` +
        'Content-Length: 100\r\n\r\nhalf',
      () => setImmediate(() => socket.destroy()),
    );
    assert.equal(await broken.promise, true);
  });
});

describe('an app behind the proxy that answers in a way of its own', () => {
  let sandbox: SandboxServer;
  beforeEach(async () => {
    sandbox = await startSandboxServer();
  });
  afterEach(() => sandbox.close());

  const run = (app: string, query = '', body = Buffer.from('{}')) => {
    sandbox.state.setApps({ mine: app });
    const { proxyUrl, projectId, token } = sandbox.address;
    const headers = { authorization: `Bearer ${token}` };
    return request(`${proxyUrl}/v4/${projectId}/mine/run${query}`, { method: 'POST', headers, body });
  };

  it('may do so before it has read a large body', async () => {
    const hasty = await startHastyApp();
    const status = async () => {
      const answer = await run(hasty.url, '', Buffer.alloc(10 << 20));
      await answer.body.dump();
      return answer.statusCode;
    };
    try {
      for (let round = 0; round < 5; round += 1) {
        assert.deepEqual(new Set(await Promise.all(Array.from({ length: 6 }, status))), new Set([204]));
      }
    } finally {
      hasty.stop();
    }
  });

  it('is a 502 where it changes the protocol, and the webhook says so too', async () => {
    const [app, hook] = [await Receiver.start(), await Receiver.start()];
    app.raw = ({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    };
    try {
      const answer = await run(app.url, `?webhookEndpoint=${encodeURIComponent(hook.url)}`);
      assert.equal(answer.statusCode, 502);
      const body = (await answer.body.json()) as { result: { error: string } };
      assert.match(body.result.error, new RegExp(`${app.url} changed the protocol instead`));
      const [webhook] = await hook.count(1);
      assert.deepEqual(JSON.parse(webhook!.body.toString()), body);
    } finally {
      await app.close();
      await hook.close();
    }
  });
});

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
