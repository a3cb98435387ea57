import { receiveWebhook } from './verify.ts';

const secret = process.env.WEBHOOK_SECRET ?? '';
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.');

/** What is to be done with a delivery. Where it throws, the service sends the delivery again. */
async function handleDelivery(body: unknown): Promise<void> {
  console.log('Delivery', body);
}

/** For every server that speaks Request and Response: Deno, Bun, Hono, Next.js route handlers and others. */
export async function handleWebhook(request: Request): Promise<Response> {
  // It throws where something has read the body before, such as c.req.json() of Hono.
  const rawBody = await request.arrayBuffer().then(
    (bytes) => new Uint8Array(bytes),
    (error: unknown) => {
      console.error(error);
      return undefined;
    },
  );
  const header = (name: string) => request.headers.get(name);
  return new Response(null, { status: await receiveWebhook(header, rawBody, secret, handleDelivery) });
}
