// What users would build without Runhook: express with the raw body, and standardwebhooks to verify it. It stores nothing.
// Plain JavaScript, so that no type declarations of express are needed. `node expressServer.mjs <secret>`
import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.argv[2] ?? '');
const app = express();
app.post('/', express.raw({ type: '*/*', limit: '10mb' }), (request, response) => {
  try {
    webhook.verify(request.body.toString(), request.headers);
    response.status(200).end();
  } catch {
    response.status(401).end();
  }
});
const server = app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  process.stdout.write(`${server.address().port}\n`);
});
