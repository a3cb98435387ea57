import express from 'express';
import { receiveWebhook } from './verify.js';

const secret = process.env.WEBHOOK_SECRET ?? '';
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.');

const app = express();

/** What is to be done with a delivery. Where it throws, the service sends the delivery again. */
async function handleDelivery(body) {
  console.log('Delivery', body);
}

// Above app.use(express.json()), if there is one: the signature is made of the bytes as they were sent.
app.post(
  '/webhook',
  express.raw({ type: () => true, limit: '16mb' }),
  async (request, response) => {
    const header = (name) => request.get(name);
    response.sendStatus(await receiveWebhook(header, rawBodyOf(request), secret, handleDelivery));
  },
  (error, _, response, _next) => {
    // The body is too large, the sender broke off, or something has read the body before. Express would respond to
    // some of these with 500, after which the service never sends the webhook again.
    console.error('The body of a webhook could not be read. Put its route above what reads bodies.', error);
    response.sendStatus(error.status === 413 ? 413 : 404);
  },
);

/** The body as it was sent; undefined if something has read it before, such as express.json(). */
function rawBodyOf(request) {
  if (Buffer.isBuffer(request.body)) return request.body;
  const isEmpty = !request.get('transfer-encoding') && Number(request.get('content-length') ?? 0) === 0;
  return isEmpty ? Buffer.alloc(0) : undefined;
}

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', (error) => {
  // Such as a port that is taken. Express 5 hands it in here; Express 4 throws it.
  if (error) throw error;
  console.log('Listening on', server.address());
});
