import * as http from 'node:http';
import type { AddressInfo } from 'node:net';

export const appModes = ['up', 'slow', 'failing', 'resetting', 'down'] as const;

/** A fake local app whose behaviour can be changed. */
export class FakeLocalApp {
  mode: (typeof appModes)[number] = 'up';
  /** How often it answered each request id with 2xx. */
  readonly taken = new Map<string, number>();
  readonly #server = http.createServer((request, response) => this.#answer(request, response));

  async start(): Promise<this> {
    this.#server.on('connection', (socket) => {
      if (this.mode === 'down') socket.destroy();
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    const mood = this.mode;
    request.on('error', () => undefined).resume();
    request.on('end', () => {
      if (mood === 'resetting') request.socket.resetAndDestroy();
      else if (mood === 'failing') response.writeHead(500).end('broken');
      else setTimeout(() => this.#take(request, response), mood === 'slow' ? 200 : 0);
    });
  }

  #take(request: http.IncomingMessage, response: http.ServerResponse): void {
    const id = String(request.headers['x-request-id']);
    response.end(() => this.taken.set(id, (this.taken.get(id) ?? 0) + 1));
  }
}
