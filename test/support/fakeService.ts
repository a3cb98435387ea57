import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a fake service was sent. */
export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A management API on loopback that answers whatever a test tells it to. */
export class FakeService {
  readonly requests: SeenRequest[] = [];
  /** What is answered next, and from then on. */
  answer: (request: SeenRequest, response: ServerResponse) => unknown = (_, response) => response.end('[]');
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  /** @returns its address, such as `http://127.0.0.1:41234` */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Answers with a status and a body: JSON, or a text as it is. */
  answers(status: number, body: unknown, headers: Record<string, string> = {}): void {
    this.answer = (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const seen = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(pieces).toString(),
    };
    this.requests.push(seen);
    await this.answer(seen, response);
  }
}
