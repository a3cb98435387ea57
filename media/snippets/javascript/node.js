import { createServer } from 'node:http';
import { receiveWebhook } from './verify.js';

const secret = process.env.WEBHOOK_SECRET ?? '';
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.');

const maxBodyBytes = 16 * 1024 * 1024;

/** What is to be done with a delivery. Where it throws, the service sends the delivery again. */
async function handleDelivery(body) {
  console.log('Delivery', body);
}

const server = createServer(async (request, response) => {
  try {
    const rawBody = await readBody(request);
    const header = (name) => request.headers[name]?.toString();
    const status = rawBody ? await receiveWebhook(header, rawBody, secret, handleDelivery) : 413;
    response.writeHead(status).end();
  } catch (error) {
    // The sender broke off, or the body cannot be read. The service sends a webhook again after a network error.
    console.error(error);
    response.destroy();
  }
});

/** The bytes of the body. One that is too large is read to its end, so that the sender sees the response. */
async function readBody(request) {
  if (request.readableDidRead) throw new Error('Something has read the body before: verify webhooks first.');
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  return bytes <= maxBodyBytes ? Buffer.concat(chunks) : undefined;
}

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log('Listening on', server.address());
});
