// The plainest program that keeps as much as the listener does: node:http, one HMAC, one SQLite transaction a turn.
// `node plainServer.ts <secret> <folder>`
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const [, , secret = '', folder = ''] = process.argv;
const database = new DatabaseSync(join(folder, 'plain.sqlite'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
database.exec('CREATE TABLE deliveries (id TEXT, headers TEXT, body BLOB)');
const insert = database.prepare('INSERT INTO deliveries VALUES (?, ?, ?)');
let waiting: (() => http.ServerResponse)[] = [];

function commit(): void {
  const batch = waiting;
  waiting = [];
  database.exec('BEGIN');
  const responses = batch.map((keep) => keep());
  database.exec('COMMIT');
  for (const response of responses) response.end();
}

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const { headers, rawHeaders } = request;
    const id = String(headers['x-request-id']);
    const content = `${id}.${String(headers['x-service-webhook-timestamp'])}.`;
    const expected = createHmac('sha256', secret).update(content).update(body).digest();
    const given = Buffer.from(String(headers['x-service-webhook-signature']).slice(3), 'hex');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      response.writeHead(401).end();
      return;
    }
    if (waiting.length === 0) setImmediate(commit);
    waiting.push(() => {
      insert.run(id, rawHeaders.join('\n'), body);
      return response;
    });
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
