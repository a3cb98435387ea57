import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { postWebhook } from '../../../../src/sandbox/webhook/postWebhook.ts';

describe('one attempt of a webhook', () => {
  it('has the status of an endpoint that changes the protocol', async () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(switching));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      const request = { endpoint, headers: {}, body: Buffer.from('{}'), pace: { kind: 'atOnce' } } as const;
      assert.equal(await postWebhook(request, new AbortController().signal), 101);
    } finally {
      server.close();
    }
  });
});
