import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { plainBody } from '../../../../src/service/runs/plainBody.ts';
import { readAll } from '../../../../src/service/client/boundedBody.ts';
import { RunClient, type RunCall } from '../../../../src/service/client/runClient.ts';
import { createUndiciTransport } from '../../../../src/service/client/undiciTransport.ts';
import { masked } from '../../../../src/shared/masking/likelySecrets.ts';
import { runUrl, withWebhook } from '../../../../src/service/runs/runUrl.ts';
import { UserError } from '../../../../src/shared/text/userError.ts';

interface Seen {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}

describe('RunClient (service-interface.md, section 4.3)', () => {
  const transport = createUndiciTransport({
    proxySupport: 'off',
    strictSsl: true,
    systemCertificates: false,
  });
  let server: Server;
  let proxyUrl: string;
  const seen: Seen[] = [];

  before((done) => {
    server = createServer((request, response) => {
      void readAll(request).then((body) => {
        const url = new URL(request.url ?? '', 'http://proxy');
        seen.push({ method: request.method ?? '', url, headers: request.headers, body: body.toString() });
        if (url.pathname.endsWith('/reset')) {
          request.socket.resetAndDestroy();
          return;
        }
        response.writeHead(url.pathname.endsWith('/fail') ? 500 : 200, {
          'Content-Type': 'text/event-stream',
        });
        response.write('data: {"run_id": "r-7"}\n\n');
        if (!url.pathname.endsWith('/endless')) response.end('data: last\n\n');
      });
    });
    server.listen(0, '127.0.0.1', () => {
      proxyUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      done();
    });
  });
  after(async () => {
    await transport.close();
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    seen.splice(0);
    call = { url: to('run'), method: 'POST', body: '{"a":1}' };
  });

  const client = () =>
    new RunClient({ transport: transport.send, token: 'the-token', userAgent: 'runhook/test' });
  const to = (path: string) => runUrl(proxyUrl, { projectId: 'p-1', appName: 'hello', path });
  let call: RunCall;

  it('posts the body to /v4/<project>/<app>/run with the bearer token', async () => {
    const answer = await client().run(call);
    assert.equal(answer.status, 200);
    assert.match((await readAll(answer.body)).toString(), /last/);
    const [request] = seen;
    assert.equal(request?.method, 'POST');
    assert.equal(request.url.pathname, '/v4/p-1/hello/run');
    assert.equal(request.url.search, '');
    assert.equal(request.headers.authorization, 'Bearer the-token');
    assert.equal(request.headers['content-type'], 'application/json');
    assert.equal(request.headers['x-webhook-secret'], undefined);
    assert.equal(request.body, '{"a":1}');
  });

  it('encodes the webhook address once, and sends the secret', async () => {
    const url = withWebhook(to('v1/chat?stream=1'), 'https://me.example/hook?a=b%20c&d=é');
    const { body } = await client().run({ ...call, url, secret: 's3cret' });
    await readAll(body);
    const [request] = seen;
    assert.equal(
      request?.url.searchParams.get('webhookEndpoint'),
      'https://me.example/hook?a=b%20c&d=%C3%A9',
    );
    assert.equal(request.url.searchParams.get('stream'), '1');
    assert.equal(request.headers['x-webhook-secret'], 's3cret');
  });

  it('sends the UTF-8 bytes of a secret, which are the key that signs', async () => {
    const { body } = await client().run({ ...call, secret: 'sécrèt-✓' });
    await readAll(body);
    const sent = String(seen[0]?.headers['x-webhook-secret']);
    assert.equal(Buffer.from(sent, 'latin1').toString(), 'sécrèt-✓');
  });

  it('calls any path with any method, and with further headers', async () => {
    const headers = { 'X-Trace': 'on', Accept: 'text/event-stream' };
    const answer = await client().run({ url: to('status/now'), method: 'get', headers });
    await readAll(answer.body);
    assert.equal(seen[0]?.method, 'GET');
    assert.equal(seen[0].url.pathname, '/v4/p-1/hello/status/now');
    assert.equal(seen[0].headers['x-trace'], 'on');
    assert.equal(seen[0].headers['content-type'], undefined);
  });

  it('takes an error of the app as an answer', async () => {
    const answer = await client().run({ ...call, url: to('fail') });
    await readAll(answer.body);
    assert.equal(answer.status, 500);
  });

  it('says that the app may have run where the connection is reset after the call was sent', async () => {
    await assert.rejects(client().run({ ...call, url: to('reset') }), {
      message: /^The request to 127\.0\.0\.1:\d+ failed: the connection was reset\. The app may have run\.$/,
      short: 'the connection was reset',
      inRow: 'service disconnected',
    });
    assert.equal(seen.length, 1);
  });

  it('gives the token and the secret to nobody, where the answer echoes them', async () => {
    const secret = 'a webhook secret';
    const echoing = new RunClient({
      transport: ({ headers }) => {
        const echo = JSON.stringify(headers);
        const body = (async function* () {
          for (const part of [echo.slice(0, -30), echo.slice(-30)])
            yield await Promise.resolve(Buffer.from(part));
        })();
        return Promise.resolve({ status: 401, headers: { 'x-echo': echo }, body });
      },
      token: 'the-token',
      userAgent: 'runhook/test',
    });
    const answer = await echoing.run({ ...call, secret });
    const body = JSON.parse((await readAll(answer.body)).toString()) as Record<string, string>;
    assert.equal(body['authorization'], `Bearer ${masked}`);
    assert.equal(body['x-webhook-secret'], masked);
    assert.doesNotMatch(answer.headers['x-echo']!, /the-token|a webhook secret/);
  });

  it('hands over the body while it comes, and ends it when cancelled', async () => {
    const cancel = new AbortController();
    const answer = await client().run({ ...call, url: to('endless') }, cancel.signal);
    const pieces = answer.body[Symbol.asyncIterator]();
    assert.match(Buffer.from((await pieces.next()).value as Uint8Array).toString(), /r-7/);
    cancel.abort(new Error('enough'));
    await assert.rejects(pieces.next(), /enough/);
  });

  const refused: [string, Partial<RunCall>, RegExp][] = [
    ['a header that the call owns', { headers: { Authorization: 'Basic x' } }, /set by Runhook/],
    ['a header of the connection', { headers: { 'Keep-Alive': 'timeout=5' } }, /set by Runhook/],
    ['a header that waits for leave to send', { headers: { Expect: '100-continue' } }, /set by Runhook/],
    ['a secret among the headers', { headers: { 'x-webhook-secret': 'x' } }, /set by Runhook/],
    ['a header with a line break', { headers: { 'x-a': 'b\r\nx-c: d' } }, /cannot be sent/],
    ['a method that is none', { method: 'PO ST' }, /cannot be called with the method/],
    ['a GET with a body', { method: 'GET' }, /cannot have a body/],
  ];
  for (const [what, part, reason] of refused) {
    it(`refuses ${what} and sends nothing`, async () => {
      await assert.rejects(client().run({ ...call, ...part }), (error) => {
        assert.ok(error instanceof UserError);
        assert.match(error.message, reason);
        return true;
      });
      assert.equal(seen.length, 0);
    });
  }
});

describe('plainBody', () => {
  const rows: [string, Uint8Array, string | undefined, unknown][] = [
    ['JSON by its header', Buffer.from('3'), 'application/json', { body: 3 }],
    ['JSON of a vendor', Buffer.from('{"a":1}'), 'application/vnd.x+json', { body: { a: 1 } }],
    ['JSON without a header', Buffer.from('[1]'), undefined, { body: [1] }],
    ['text that looks like JSON', Buffer.from('[1]'), 'text/plain', { body: '[1]' }],
    ['JSON that is broken', Buffer.from('{"a":'), 'application/json', { body: '{"a":' }],
    ['nothing', Buffer.from(''), 'application/json', { body: '' }],
    ['bytes', Buffer.from([0xff, 0xfe]), 'image/png', { body: '//4=', bodyEncoding: 'base64' }],
  ];
  for (const [what, bytes, type, expected] of rows) {
    it(what, () => assert.deepEqual(plainBody(bytes, type), expected));
  }
});
