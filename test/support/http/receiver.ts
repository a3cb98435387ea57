import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A received request. */
export interface Received {
  method: string;
  /** The request target. */
  path: string;
  headers: IncomingHttpHeaders;
  rawHeaders: readonly string[];
  body: Buffer;
}

/** How the endpoint handles a request: with a status, or by misbehaving. */
export type Behaviour =
  | number
  /** Takes the request and never answers. */
  | 'hang'
  /** Closes the connection without a response. */
  | 'drop'
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** The certificate of an https endpoint, in PEM. */
interface Certificate {
  key: string;
  cert: string;
}

// With Node's default backlog of 511, further connections of a burst wait for a second.
const anyPort = { port: 0, host: '127.0.0.1', backlog: 4096 };

/** An HTTP endpoint on loopback that records its requests. */
export class Receiver {
  readonly received: Received[] = [];
  /** How to handle the next requests, in order. Later requests are handled by `otherwise`. */
  behaviours: Behaviour[] = [];
  otherwise: Behaviour = 200;
  /** Handles requests before their body is read. They are not recorded. */
  raw: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  #waiting: (() => void)[] = [];
  readonly #scheme: 'http' | 'https';
  readonly #server: Server;

  private constructor(certificate: Certificate | undefined) {
    const take = (request: IncomingMessage, response: ServerResponse) => {
      if (this.raw) this.raw(request, response);
      else this.#take(request, response).catch(() => response.destroy());
    };
    this.#scheme = certificate ? 'https' : 'http';
    this.#server = certificate ? createTlsServer(certificate, take) : createServer(take);
  }

  /** @param certificate makes it an https endpoint */
  static async start(certificate?: Certificate): Promise<Receiver> {
    const receiver = new Receiver(certificate);
    await new Promise<void>((resolve) => receiver.#server.listen(anyPort, resolve));
    return receiver;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Handles upgrade requests. */
  onUpgrade(handler: (request: IncomingMessage, socket: Duplex) => void): void {
    this.#server.on('upgrade', handler);
  }

  /** Waits for a total number of requests. */
  async count(total: number): Promise<readonly Received[]> {
    while (this.received.length < total) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.received;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const behaviour = this.behaviours.shift() ?? this.otherwise;
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = '', url: path = '', headers, rawHeaders } = request;
    this.received.push({ method, path, headers, rawHeaders, body: Buffer.concat(chunks) });
    if (behaviour === 'drop') request.socket.destroy();
    else if (typeof behaviour === 'function') behaviour(request, response);
    else if (behaviour !== 'hang') response.writeHead(behaviour, { Location: '/elsewhere' }).end();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}
