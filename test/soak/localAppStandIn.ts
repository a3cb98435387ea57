import * as http from 'node:http';
import type { AddressInfo } from 'node:net';

export const appMoods = ['up', 'slow', 'failing', 'resetting', 'down'] as const;

/** The user's own app, in whatever mood it is. */
export class LocalAppStandIn {
  mood: (typeof appMoods)[number] = 'up';
  /** How often it took each request id with a 2xx. */
  readonly taken = new Map<string, number>();
  readonly #server = http.createServer((request, response) => this.#answer(request, response));

  async start(): Promise<this> {
    this.#server.on('connection', (socket) => {
      if (this.mood === 'down') socket.destroy();
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    // A server that listens on TCP has an AddressInfo.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    const mood = this.mood;
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
