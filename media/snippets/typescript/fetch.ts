import { verifyWebhook } from './verify.ts';

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that the caller sends as X-Webhook-Secret.');

/** For every server that speaks Request and Response: Deno, Bun, Hono, Next.js route handlers and others. */
export async function handleWebhook(request: Request): Promise<Response> {
  const rawBody = new Uint8Array(await request.arrayBuffer());
  if (!verifyWebhook((name) => request.headers.get(name), rawBody, secret!)) {
    return new Response(null, { status: 401 });
  }
  const delivery = JSON.parse(new TextDecoder().decode(rawBody));
  // The same delivery may arrive again: what is done here has to bear that.
  console.log('Run', delivery.run_id);
  return new Response(null, { status: 200 });
}
