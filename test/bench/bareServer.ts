// A minimal webhook server, which reads the body and answers 200: `node bareServer.ts [blocked]`
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { blockThread } from '../support/processes/blockThread.ts';

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => response.end());
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
if (process.argv[2] === 'blocked') {
  // Stands in for a server in a busy extension host: blocked for 2 s in every 3.
  setInterval(() => blockThread(2000), 3000);
}
