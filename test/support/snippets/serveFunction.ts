// Serves verification code that is a plain function, as an app with its own server does. It is copied beside the code.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

type ReceiveWebhook = (
  header: (name: string) => string | undefined,
  rawBody: Uint8Array,
  secret: string,
  handleDelivery: (body: unknown) => Promise<void>,
) => Promise<number>;

const { receiveWebhook } = (await import(new URL(process.argv[2]!, import.meta.url).href)) as {
  receiveWebhook: ReceiveWebhook;
};
const secret = process.env.WEBHOOK_SECRET ?? '';
if (!secret)
  throw new Error('Set WEBHOOK_SECRET to the secret that is sent as X-Webhook-Secret with the run.');

async function handleDelivery(body: unknown): Promise<void> {
  const answer = await fetch(process.env.WORK_URL!, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`The work answered ${answer.status}.`);
}

const server = createServer((request, response) => {
  const answer = async () => {
    const header = (name: string) => request.headers[name]?.toString();
    response.writeHead(await receiveWebhook(header, await buffer(request), secret, handleDelivery)).end();
  };
  answer().catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => console.log('Listening on', server.address()));
