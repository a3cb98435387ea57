import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { postWebhook } from '../../../../src/sandbox/webhook/postWebhook.ts';
import { startHastyApp } from '../../../support/http/hastyApp.ts';

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

  it('has the answer of an endpoint that does not read what is sent', async () => {
    const hasty = await startHastyApp();
    const request = {
      endpoint: new URL(hasty.url),
      headers: {},
      body: Buffer.alloc(10 << 20),
      pace: { kind: 'atOnce' },
    } as const;
    const { signal } = new AbortController();
    try {
      for (let round = 0; round < 5; round += 1) {
        const statuses = await Promise.all(Array.from({ length: 6 }, () => postWebhook(request, signal)));
        assert.deepEqual(new Set(statuses), new Set([204]));
      }
    } finally {
      hasty.stop();
    }
  });
});
