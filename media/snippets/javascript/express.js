import express from 'express';
import { answerWebhook } from './verify.js';

const secret = process.env.WEBHOOK_SECRET ?? '';
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.');

const app = express();

/** What is to be done with a delivery. Where it throws, the service sends the delivery again. */
async function handleDelivery(body) {
  console.log('Delivery', body);
}

// express.raw and not express.json: the signature is made of the bytes as they were sent.
app.post('/webhook', express.raw({ type: () => true, limit: '16mb' }), async (request, response) => {
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const header = (name) => request.get(name);
  response.sendStatus(await answerWebhook(header, rawBody, secret, handleDelivery));
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log('Listening on', server.address());
});
