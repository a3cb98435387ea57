// The least that a webhook server can do: read the body, answer 200. `node bareServer.ts [blocked]`
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => response.end());
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  // A server that listens on TCP has an AddressInfo.
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
if (process.argv[2] === 'blocked') {
  // A server in an extension host at work: busy for 2 s in every 3.
  setInterval(() => {
    const until = Date.now() + 2000;
    while (Date.now() < until);
  }, 3000);
}
