import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { ManagementClient } from '../../../src/client/managementClient.ts';
import { createUndiciTransport } from '../../../src/client/undiciTransport.ts';

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
