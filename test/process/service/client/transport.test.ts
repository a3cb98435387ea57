import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { UnreachableError } from '../../../../src/service/client/errors.ts';
import { createFetchTransport } from '../../../../src/service/client/fetchTransport.ts';
import type { Transport } from '../../../../src/service/client/transport.ts';
import { createUndiciTransport } from '../../../../src/service/client/undiciTransport.ts';
import { type RunUrl, runUrl } from '../../../../src/service/runs/runUrl.ts';
import { UserError } from '../../../../src/shared/text/userError.ts';
import { Receiver } from '../../../support/http/receiver.ts';
import { startSandboxServer } from '../../../support/service/startSandboxServer.ts';

const viaUndici = createUndiciTransport({ proxySupport: 'off', strictSsl: true, systemCertificates: false });
const transports: [string, Transport][] = [
  ['undici', viaUndici.send],
  ['fetch', createFetchTransport(globalThis.fetch)],
];

after(async () => viaUndici.close());

/** The URL of a run; undefined where the path cannot be sent. */
function urlOf(proxyUrl: string, path: string): RunUrl | undefined {
  try {
    return runUrl(proxyUrl, { projectId: 'p', appName: 'a', path });
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
    return undefined;
  }
}

for (const [name, send] of transports) {
  describe(`the transport by ${name}`, () => {
    let service: Receiver;
    beforeEach(async () => {
      service = await Receiver.start();
    });
    afterEach(() => service.close());

    const ask = async (extra: Partial<Parameters<Transport>[0]> = {}) =>
      send({
        method: 'GET',
        url: new URL(`${service.url}/x`),
        headers: { authorization: 'Bearer t' },
        ...extra,
      });
    const read = async (body: AsyncIterable<Uint8Array>) => {
      let text = '';
      for await (const piece of body) text += Buffer.from(piece).toString();
      return text;
    };

    it('sends method, headers and body, and gives back status, headers and body', async () => {
      service.otherwise = (_, response) => response.writeHead(201, { 'x-a': '1' }).end('héllo');
      const response = await ask({
        method: 'PATCH',
        body: new TextEncoder().encode('ü'),
        headers: { 'x-b': '2' },
      });
      assert.equal(response.status, 201);
      assert.equal(response.headers['x-a'], '1');
      assert.equal(await read(response.body), 'héllo');
      const { method, headers, body } = service.received[0]!;
      assert.deepEqual([method, headers['x-b'], body.toString()], ['PATCH', '2', 'ü']);
    });

    it('puts path and query on the wire as they stand in the address', async () => {
      const written = fc.oneof(
        fc.tuple(fc.webPath(), fc.webQueryParameters()).map(([path, query]) => `${path}?${query}`),
        fc.string({ unit: 'binary-ascii', maxLength: 30 }),
        fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => `run?${text}`),
      );
      let sent = 0;
      const examples = [
        'run?q=a%20b&flag&t=~!*()&e=%2F;k=1',
        'x=%E9?x=%E9&%',
        'a|b^c?{}|\\^`[]',
        "it's?it's",
      ];
      await fc.assert(
        fc.asyncProperty(written, async (path) => {
          const url = urlOf(service.url, path);
          if (url === undefined) return;
          const refused = await ask({ url }).then(({ body }) => read(body), String);
          if (name === 'fetch' && url.search.includes("'")) {
            assert.match(refused, /Write %27 for an apostrophe/);
            return;
          }
          sent += 1;
          assert.equal(service.received.pop()?.path, url.pathname + url.search);
        }),
        { numRuns: 300, examples: examples.map((one): [string] => [one]) },
      );
      assert.ok(sent > 100, `only ${sent} were sent`);
    });

    it('joins several values of one header', async () => {
      service.otherwise = (_, response) => {
        response.writeHead(200, ['set-cookie', 'a=1', 'set-cookie', 'b=2', 'x-a', '1', 'x-a', '2']).end();
      };
      const { headers, body } = await ask();
      await read(body);
      assert.deepEqual([headers['set-cookie'], headers['x-a']], ['a=1, b=2', '1, 2']);
    });

    it('gives the pieces of a stream as they come', async () => {
      let finish: () => void = () => assert.fail('no answer was begun');
      service.otherwise = (_, response) => {
        response.write('first');
        finish = () => response.end('second');
      };
      const pieces: string[] = [];
      const response = await ask({ timeoutMs: 5000 });
      for await (const piece of response.body) {
        pieces.push(Buffer.from(piece).toString());
        if (pieces.length === 1) finish();
      }
      assert.deepEqual(pieces, ['first', 'second']);
    });

    it('gives up on a head that does not come in time', async () => {
      service.otherwise = 'hang';
      await assert.rejects(ask({ timeoutMs: 50 }), (error) => {
        assert.ok(error instanceof UnreachableError && error.passing);
        assert.match(error.message, /did not respond within 0\.05 seconds/);
        return true;
      });
    });

    it('gives up on a body that stops', async () => {
      service.otherwise = (_, response) => response.write('first');
      // Long enough for the head on a busy machine.
      const { body } = await ask({ timeoutMs: 2000 });
      await assert.rejects(read(body), UnreachableError);
    });

    it('is cancelled before, while it waits and while it reads, with the reason of the signal', async () => {
      const reason = new Error('changed my mind');
      await assert.rejects(ask({ signal: AbortSignal.abort(reason) }), reason);
      assert.deepEqual(service.received, []);

      const whileWaiting = new AbortController();
      service.otherwise = () => whileWaiting.abort(reason);
      await assert.rejects(ask({ signal: whileWaiting.signal }), reason);

      const whileReading = new AbortController();
      service.otherwise = (_, response) => response.write('first');
      const { body } = await ask({ signal: whileReading.signal });
      const reading = read(body);
      whileReading.abort(reason);
      await assert.rejects(reading, reason);
    });

    it('follows no redirect: a token stays with its origin', async () => {
      const other = await Receiver.start();
      service.otherwise = (_, response) => response.writeHead(307, { location: `${other.url}/y` }).end();
      const response = await ask();
      assert.equal(response.status, 307);
      await read(response.body);
      assert.deepEqual(other.received, []);
      await other.close();
    });

    it('says that nothing listens', async () => {
      const gone = await Receiver.start();
      const url = new URL(gone.url);
      await gone.close();
      await assert.rejects(ask({ url }), (error) => {
        assert.ok(error instanceof UnreachableError && error.passing);
        assert.equal(
          error.message,
          `The service at ${url.host} could not be reached: nothing listens there.`,
        );
        assert.equal(error.inRow, 'service not running');
        return true;
      });
    });

    it('says so where the connection breaks in the middle', async () => {
      service.otherwise = (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('first', () => response.destroy());
      };
      const { body } = await ask();
      await assert.rejects(read(body), UnreachableError);
    });
  });
}

describe('a connection that is idle', () => {
  it('is closed by undici after a second, however long the service would keep it', async function () {
    this.timeout(20_000);
    const service = createServer((_, response) => response.end('x'));
    service.keepAliveTimeout = 60_000;
    const closed = new Promise((resolve) => {
      service.on('connection', (socket) => socket.on('end', resolve));
    });
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    const url = new URL(`http://127.0.0.1:${port}/`);
    try {
      const { body } = await viaUndici.send({ method: 'GET', url, headers: {} });
      for await (const _ of body);
      await closed;
    } finally {
      service.close();
      service.closeAllConnections();
    }
  });

  it('is kept by the sandbox for longer than clients do', async () => {
    const sandbox = await startSandboxServer();
    const url = new URL(sandbox.address.baseUrl);
    const { headers, body } = await viaUndici.send({ method: 'GET', url, headers: {} });
    for await (const _ of body);
    await sandbox.close();
    assert.equal(headers['keep-alive'], 'timeout=60');
  });
});
