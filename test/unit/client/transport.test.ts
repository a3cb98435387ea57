import assert from 'node:assert/strict';
import { UnreachableError } from '../../../src/client/errors.ts';
import { createFetchTransport } from '../../../src/client/fetchTransport.ts';
import type { Transport } from '../../../src/client/transport.ts';
import { createUndiciTransport } from '../../../src/client/undiciTransport.ts';
import { FakeService } from '../../support/fakeService.ts';

const viaUndici = createUndiciTransport({
  options: { proxySupport: 'off', strictSsl: true, systemCertificates: false },
});
const transports: [string, Transport][] = [
  ['undici', viaUndici.send],
  ['fetch', createFetchTransport(globalThis.fetch)],
];

after(async () => viaUndici.close());

for (const [name, send] of transports) {
  describe(`the transport by ${name}`, () => {
    const service = new FakeService();
    let address: string;
    beforeEach(async () => {
      address = await service.start();
      service.requests.length = 0;
    });
    afterEach(async () => service.stop());

    const ask = async (extra: Partial<Parameters<Transport>[0]> = {}) =>
      send({ method: 'GET', url: new URL(`${address}/x`), headers: { authorization: 'Bearer t' }, ...extra });
    const read = async (body: AsyncIterable<Uint8Array>) => {
      let text = '';
      for await (const piece of body) text += Buffer.from(piece).toString();
      return text;
    };

    it('sends method, headers and body, and gives back status, headers and body', async () => {
      service.answers(201, 'héllo', { 'x-a': '1' });
      const response = await ask({
        method: 'PATCH',
        body: new TextEncoder().encode('ü'),
        headers: { 'x-b': '2' },
      });
      assert.equal(response.status, 201);
      assert.equal(response.headers['x-a'], '1');
      assert.equal(await read(response.body), 'héllo');
      const [request] = service.requests;
      assert.deepEqual([request?.method, request?.headers['x-b'], request?.body], ['PATCH', '2', 'ü']);
    });

    it('gives the pieces of a stream as they come', async () => {
      let finish: () => void = () => assert.fail('no answer was begun');
      service.answer = (_, response) => {
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
      service.answer = () => undefined;
      await assert.rejects(ask({ timeoutMs: 50 }), (error) => {
        assert.ok(error instanceof UnreachableError && error.passing);
        assert.match(error.message, /did not answer within 0\.05 seconds/);
        return true;
      });
    });

    it('gives up on a body that stops', async () => {
      service.answer = (_, response) => void response.write('first');
      const { body } = await ask({ timeoutMs: 50 });
      await assert.rejects(read(body), UnreachableError);
    });

    it('is cancelled before, while it waits and while it reads, with the reason of the signal', async () => {
      const reason = new Error('changed my mind');
      await assert.rejects(ask({ signal: AbortSignal.abort(reason) }), reason);
      assert.equal(service.requests.length, 0);

      const whileWaiting = new AbortController();
      service.answer = () => whileWaiting.abort(reason);
      await assert.rejects(ask({ signal: whileWaiting.signal }), reason);

      const whileReading = new AbortController();
      service.answer = (_, response) => void response.write('first');
      const { body } = await ask({ signal: whileReading.signal });
      const reading = read(body);
      whileReading.abort(reason);
      await assert.rejects(reading, reason);
    });

    it('follows no redirect: a token stays with its origin', async () => {
      const other = new FakeService();
      const elsewhere = await other.start();
      service.answers(307, '', { location: `${elsewhere}/y` });
      const response = await ask();
      assert.equal(response.status, 307);
      await read(response.body);
      assert.equal(other.requests.length, 0);
      await other.stop();
    });

    it('says that nothing listens', async () => {
      const gone = new FakeService();
      const url = new URL(await gone.start());
      await gone.stop();
      await assert.rejects(ask({ url }), (error) => {
        assert.ok(error instanceof UnreachableError && error.passing);
        assert.equal(error.message, `Nothing listens on ${url.host}.`);
        return true;
      });
    });

    it('says so where the connection breaks in the middle', async () => {
      service.answer = (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('first', () => response.destroy());
      };
      const { body } = await ask();
      await assert.rejects(read(body), UnreachableError);
    });
  });
}
