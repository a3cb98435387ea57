import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** An HTTP proxy on loopback. It sends every request to one local port, whatever host the client asks for. */
export class LocalProxy {
  /** The requests: `GET http://api.example/x`, `CONNECT api.example:443`. */
  readonly requests: string[] = [];
  /** The `Proxy-Authorization` of each request. */
  readonly authorizations: (string | undefined)[] = [];
  /** If set, every CONNECT is refused with this status. */
  refusal: number | undefined;
  readonly #targetPort: number;
  readonly #tunnels = new Set<Duplex>();
  readonly #server = createServer((incoming, response) => this.#forward(incoming, response));

  constructor(targetPort: number) {
    this.#targetPort = targetPort;
    this.#server.on('connect', (incoming, socket) => this.#tunnel(incoming, socket));
  }

  /** @returns its address */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const tunnel of this.#tunnels) tunnel.destroy();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #note(incoming: IncomingMessage): void {
    this.requests.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`);
    this.authorizations.push(incoming.headers['proxy-authorization']);
  }

  #forward(incoming: IncomingMessage, response: ServerResponse): void {
    this.#note(incoming);
    const { pathname } = new URL(incoming.url ?? '');
    const onward = request(
      {
        port: this.#targetPort,
        host: '127.0.0.1',
        path: pathname,
        method: incoming.method,
        headers: incoming.headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    incoming.pipe(onward);
  }

  #tunnel(incoming: IncomingMessage, socket: Duplex): void {
    this.#note(incoming);
    if (this.refusal !== undefined) {
      socket.end(`HTTP/1.1 ${this.refusal} Refused\r\n\r\n`);
      return;
    }
    const onward = connect(this.#targetPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket);
      socket.pipe(onward);
    });
    for (const end of [socket, onward]) {
      this.#tunnels.add(end);
      end.on('error', () => undefined);
      end.on('close', () => this.#tunnels.delete(end));
    }
  }
}
