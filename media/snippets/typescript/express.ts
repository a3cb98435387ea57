import express from 'express';
import { verifyWebhook } from './verify.ts';

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.');

const app = express();

// express.raw and not express.json: the signature is made of the bytes as they were sent.
app.post('/webhook', express.raw({ type: '*/*', limit: '10mb' }), (request, response) => {
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (!verifyWebhook((name) => request.get(name), rawBody, secret)) {
    response.sendStatus(401);
    return;
  }
  const delivery = JSON.parse(rawBody.toString('utf8'));
  // The same delivery may arrive again: what is done here has to bear that.
  console.log('Run', delivery.run_id);
  response.sendStatus(200);
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
