// Serves verification code for the Fetch API's Request and Response. It is copied beside the code.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

type Handler = (request: Request) => Promise<Response>;

const { handleWebhook } = (await import(new URL(process.argv[2]!, import.meta.url).href)) as {
  handleWebhook: Handler;
};

const server = createServer((request, response) => {
  const answer = async () => {
    const headers = request.headers as Record<string, string>;
    const body = await buffer(request);
    const { status } = await handleWebhook(
      new Request('http://127.0.0.1/', { method: 'POST', headers, body }),
    );
    response.writeHead(status).end();
  };
  answer().catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => console.log('Listening on', server.address()));
