import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from './verify.ts';

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.');

const maxBodyBytes = 10 * 1024 * 1024;

/** Takes a webhook and returns the status to answer. */
async function receive(request: IncomingMessage): Promise<number> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return 413;
    chunks.push(chunk);
  }
  const rawBody = Buffer.concat(chunks);
  if (!verifyWebhook((name) => request.headers[name]?.toString(), rawBody, secret!)) return 401;
  const delivery = JSON.parse(rawBody.toString('utf8'));
  // The same delivery may arrive again: what is done here has to bear that.
  console.log('Run', delivery.run_id);
  return 200;
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error: unknown) => {
      console.error(error);
      response.destroy();
    },
  );
});

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`Listening on port ${(server.address() as AddressInfo).port}`);
});
