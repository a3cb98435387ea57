import assert from 'node:assert/strict';
import * as zlib from 'node:zlib';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { readAll } from '../../../../src/service/client/boundedBody.ts';
import { BrokenOffError, ServiceError } from '../../../../src/service/client/errors.ts';
import { createFetchTransport } from '../../../../src/service/client/fetchTransport.ts';
import { ManagementClient } from '../../../../src/service/client/managementClient.ts';
import { RunClient } from '../../../../src/service/client/runClient.ts';
import type { Transport } from '../../../../src/service/client/transport.ts';
import { createUndiciTransport } from '../../../../src/service/client/undiciTransport.ts';
import { masked } from '../../../../src/shared/masking/likelySecrets.ts';
import { runUrl } from '../../../../src/service/runs/runUrl.ts';
import { Receiver } from '../../../support/http/receiver.ts';

const undici = createUndiciTransport({ proxySupport: 'off', strictSsl: true, systemCertificates: false });
after(async () => undici.close());

const encoders: [header: string, encode: (bytes: Buffer) => Buffer][] = [
  ['gzip', (bytes) => zlib.gzipSync(bytes)],
  ['deflate', (bytes) => zlib.deflateSync(bytes)],
  ['deflate', (bytes) => zlib.deflateRawSync(bytes)],
  ['br', (bytes) => zlib.brotliCompressSync(bytes)],
  ['GZIP , br', (bytes) => zlib.brotliCompressSync(zlib.gzipSync(bytes))],
];
if (typeof (zlib.zstdCompressSync as unknown) === 'function') {
  encoders.push(['zstd', (bytes) => zlib.zstdCompressSync(bytes)]);
}

const token = 'a-token-of-the-test-0123456789';

for (const [name, transport] of [
  ['undici', undici.send],
  ['fetch', createFetchTransport(globalThis.fetch)],
] as const satisfies [string, Transport][]) {
  describe(`an answer with an encoding, by ${name}`, () => {
    let service: Receiver;
    beforeEach(async () => {
      service = await Receiver.start();
    });
    afterEach(() => service.close());

    const answers = (encoding: string, body: Buffer, status = 200): void => {
      service.otherwise = (_, response) =>
        response
          .writeHead(status, { 'content-encoding': encoding, 'content-type': 'application/json' })
          .end(body);
    };
    const run = () =>
      new RunClient({ transport, token, userAgent: 'runhook/test', maxAnswerBytes: 1024 * 1024 }).run({
        url: runUrl(service.url, { projectId: 'p-1', appName: 'hello', path: 'run' }),
        method: 'POST',
        body: '{}',
      });
    const management = () =>
      new ManagementClient({
        transport,
        service: { baseUrl: service.url, proxyUrl: '' },
        token,
        userAgent: 'runhook/test',
        retry: { wait: () => Promise.resolve() },
      });
    const echo = Buffer.from(JSON.stringify({ echo: `Bearer ${token}`, keys: [] }));

    for (const [at, [encoding, encode]] of encoders.entries()) {
      it(`is decoded, and then masked: ${encoding} (${at})`, async () => {
        answers(encoding, encode(echo));
        const { headers, body } = await run();
        const shown = JSON.parse((await readAll(body)).toString()) as unknown;
        assert.deepEqual(shown, { echo: `Bearer ${masked}`, keys: [] });
        assert.equal(headers['runhook-note'], undefined);
        assert.deepEqual(await management().listKeys('p-1', 'sa-1'), shown);
        answers(encoding, encode(Buffer.from(JSON.stringify({ message: `no ${token}` }))), 403);
        await assert.rejects(management().listKeys('p-1', 'sa-1'), (error: Error) => {
          assert.ok(error instanceof ServiceError);
          assert.match(error.message, /403: no •+$/);
          return true;
        });
      });

      it(`has a limit when it is decoded: ${encoding} (${at})`, async () => {
        answers(encoding, encode(Buffer.alloc(9 * 1024 * 1024)));
        const { body } = await run();
        await assert.rejects(readAll(body), /larger than 1 MiB/);
        await assert.rejects(management().listKeys('p-1', 'sa-1'), /larger than 8 MiB|not read/);
      });
    }
  });
}

describe('an answer whose encoding is broken', () => {
  let service: Receiver;
  beforeEach(async () => {
    service = await Receiver.start();
  });
  afterEach(() => service.close());

  const run = async (body: Uint8Array) => {
    service.otherwise = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
    const url = runUrl(service.url, { projectId: 'p-1', appName: 'hello', path: 'run' });
    const client = new RunClient({ transport: undici.send, token, userAgent: 'runhook/test' });
    return client.run({ url, method: 'GET' });
  };

  it('is shown as it came where the header lies, and says so', async () => {
    const plain = Buffer.from('{"a": 1}');
    const { headers, body } = await run(plain);
    assert.deepEqual(await readAll(body), plain);
    assert.match(headers['runhook-note'] ?? '', /as it came: it is not gzip, although its header says so\.$/);
  });

  it('says that it breaks off, where it is cut', async () => {
    const random = Buffer.from(Array.from({ length: 300_000 }, (_, at) => Math.imul(at, 2654435761) >>> 24));
    const { status, body } = await run(zlib.gzipSync(random).subarray(0, -1000));
    assert.equal(status, 200);
    await assert.rejects(readAll(body), BrokenOffError);
  });
});

describe('a refusal whose body breaks off or does not end', () => {
  const transport = createUndiciTransport({
    proxySupport: 'off',
    strictSsl: true,
    systemCertificates: false,
  });
  let server: Server;
  let asked: number;

  async function refusing(status: string, ends: boolean): Promise<ManagementClient> {
    asked = 0;
    const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`;
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        asked += 1;
        socket.write(`${head}{"message": "no such app"`);
        if (ends) socket.end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new ManagementClient({
      transport: transport.send,
      token: 'the-token',
      userAgent: 'Runhook/test',
      timeoutMs: 2000,
      service: { baseUrl: `http://127.0.0.1:${port}`, proxyUrl: '' },
      retry: { wait: () => Promise.resolve() },
    });
  }
  afterEach(() => server.close());
  after(() => transport.close());

  for (const [what, ends] of [
    ['breaks off', true],
    ['does not end', false],
  ] as const) {
    it(`has its status and what came of its reason: ${what}`, async () => {
      const client = await refusing('422 Unprocessable Entity', ends);
      const expected = { name: 'ServiceError', status: 422, message: /no such app/ };
      await assert.rejects(client.modifyApp('p', 'a', { gpuCount: 1 }), expected);
    });
  }

  it('is a refused token, with which nothing is asked again', async () => {
    const client = await refusing('401 Unauthorized', true);
    await assert.rejects(client.listKeys('p', 'sa'), { name: 'ServiceError', status: 401 });
    assert.equal(asked, 1);
  });
});
