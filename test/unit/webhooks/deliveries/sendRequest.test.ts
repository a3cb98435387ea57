import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendRequest } from '../../../../src/webhooks/deliveries/sendRequest.ts';
import { waitFor } from '../../../support/waitFor.ts';

describe('a delivery on its way to an app', () => {
  let app: Server;
  /** The connections that were made, and those that are open. */
  let connections: { made: number; open: number };

  async function answering(answer: RequestListener): Promise<URL> {
    connections = { made: 0, open: 0 };
    app = createServer((request, response) => {
      request.resume();
      answer(request, response);
    });
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
    app.closeAllConnections();
    app.close();
  });

  it('has a connection of its own: an app that stood at a breakpoint resets those that it kept', async () => {
    const url = await answering((_, response) => response.end('ok'));
    for (let count = 1; count <= 3; count += 1) {
      assert.equal((await send(url)).status, 200);
      assert.equal(connections.made, count);
    }
  });

  it('leaves no more than 32 answers open that are never ended', async () => {
    const url = await answering((_, response) => response.write('ok'));
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(url)));
    assert.ok(answers.every(({ status, body }) => status === 200 && body.toString() === 'ok'));
    await waitFor('the oldest to be closed', () => connections.open === 32);
  });
});
