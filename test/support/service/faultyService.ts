import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** The ways in which the service can fail to answer properly. */
export const serviceFaults = [
  'resets',
  'silent',
  'headOnly',
  'half',
  'halfChunk',
  'drips',
  'endless',
  'headerBomb',
  'noHttp',
  'html',
  'binary',
  'redirectLoop',
  'redirectAway',
  'secondAnswer',
] as const;

export type ServiceFault = (typeof serviceFaults)[number];

/** A received request. */
interface RecordedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const json = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const chunk = Buffer.alloc(64 * 1024, 0x61);

/** An HTTP service that fails on demand and records its requests. It shares no code with the sandbox. */
export class FaultyService {
  /** Without a fault it answers with an empty list. */
  fault: ServiceFault | undefined;
  /** The target of `redirectAway`. */
  redirectTarget = '';
  readonly requests: RecordedRequest[] = [];
  /** The number of connections so far. */
  connections = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((request) => void this.#take(request));

  async start(): Promise<this> {
    this.#server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
      if (this.fault === 'resets') socket.resetAndDestroy();
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of connections that are open. */
  get openConnections(): number {
    return this.#sockets.size;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #take(request: IncomingMessage): Promise<void> {
    const { socket, method = '', url = '', headers } = request;
    const body = await text(request).catch(() => '');
    this.requests.push({ method, url, headers, body });
    const raw = this.#answer(url);
    if (this.fault === 'endless') flood(socket, `${json}Transfer-Encoding: chunked\r\n\r\n`);
    else if (this.fault === 'headerBomb') flood(socket, 'HTTP/1.1 200 OK\r\nX-Bomb: ');
    else if (this.fault === 'drips') drip(socket);
    else if (raw !== undefined) {
      const breaksOff = this.fault === 'half' || this.fault === 'halfChunk' || this.fault === 'noHttp';
      if (breaksOff) socket.end(raw);
      else socket.write(raw);
    }
  }

  #answer(url: string): string | undefined {
    switch (this.fault) {
      case undefined:
        return `${json}Content-Length: 2\r\n\r\n[]`;
      case 'headOnly':
        return `${json}Content-Length: 100\r\n\r\n`;
      case 'half':
        return `${json}Content-Length: 100\r\n\r\n[{"id":"k-1"`;
      case 'halfChunk':
        return `${json}Transfer-Encoding: chunked\r\n\r\n40\r\n[{"id":"k-1"`;
      case 'noHttp':
        return 'SSH-2.0-OpenSSH_9.2\r\n';
      case 'html':
        return 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 20\r\n\r\n<h1>Sign in here</h1';
      case 'binary':
        return 'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 4\r\n\r\n\u0000\u0001\u0002\u0003';
      case 'redirectLoop':
        return `HTTP/1.1 302 Found\r\nLocation: ${url}\r\nContent-Length: 0\r\n\r\n`;
      case 'redirectAway':
        return `HTTP/1.1 307 Temporary Redirect\r\nLocation: ${this.redirectTarget}${url}\r\nContent-Length: 0\r\n\r\n`;
      case 'secondAnswer':
        return `${json}Content-Length: 2\r\n\r\n[]${json}Content-Length: 15\r\n\r\n[{"id":"forged"}]`;
      default:
        return undefined;
    }
  }
}

/** Sends endless data as fast as the client reads it. */
function flood(socket: Socket, head: string): void {
  const isChunked = head.includes('chunked');
  const more = (): void => {
    while (!socket.destroyed) {
      if (isChunked) socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      if (!(isChunked ? socket.write('\r\n') : socket.writableLength < chunk.length)) return;
    }
  };
  socket.write(head);
  socket.on('drain', more);
  more();
}

/** Sends single bytes with short pauses, without an end. */
function drip(socket: Socket): void {
  socket.write(`${json}Transfer-Encoding: chunked\r\n\r\n`);
  const timer = setInterval(() => socket.write('1\r\n \r\n'), 5);
  socket.on('close', () => clearInterval(timer));
}
