import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from './waitFor.ts';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** The user's local app: remembers what it was sent and answers as the test says. */
export class LocalApp {
  readonly received: ReceivedRequest[] = [];
  status = 200;
  /** What it answers with; endless where it is undefined. */
  answer: string | Uint8Array | undefined = '';
  url = '';
  readonly #server = http.createServer((request, response) => void this.#receive(request, response));
  #held: Promise<void> | undefined;
  #release: (() => void) | undefined;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  /** Answers nothing until `release`. */
  hold(): void {
    this.#held = new Promise((resolve) => (this.#release = resolve));
  }

  release(): void {
    this.#release?.();
  }

  /** What it was sent, once it is so many. */
  async requests(count: number): Promise<ReceivedRequest[]> {
    await waitFor(`${count} requests`, () => this.received.length >= count);
    return this.received;
  }

  async end(): Promise<void> {
    this.release();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #receive(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    this.received.push({ method, url, headers, body: Buffer.concat(chunks) });
    await this.#held;
    response.writeHead(this.status);
    if (this.answer === undefined) response.write('and so on');
    else response.end(this.answer);
  }
}
