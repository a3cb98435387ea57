// What users would build without Runhook: express with the raw body, and standardwebhooks to verify it. In a folder it
// keeps each delivery by one INSERT. Plain JavaScript, so that no type declarations of express are needed.
// `node expressServer.mjs <secret> [folder]`
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import { Webhook } from 'standardwebhooks';

const [, , secret = '', folder] = process.argv;
const webhook = new Webhook(secret);
const insert = folder === undefined ? undefined : openStore(folder);
const app = express();
app.post('/', express.raw({ type: '*/*', limit: '10mb' }), (request, response) => {
  try {
    webhook.verify(request.body.toString(), request.headers);
  } catch {
    response.status(401).end();
    return;
  }
  insert?.run(request.headers['webhook-id'], JSON.stringify(request.headers), request.body);
  response.status(200).end();
});
const server = app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  process.stdout.write(`${server.address().port}\n`);
});

function openStore(inFolder) {
  const database = new DatabaseSync(join(inFolder, 'express.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE deliveries (id TEXT, headers TEXT, body BLOB)');
  return database.prepare('INSERT INTO deliveries VALUES (?, ?, ?)');
}
