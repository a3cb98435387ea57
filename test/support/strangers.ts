import { connect, type Socket } from 'node:net';

/** Connections of those who send no delivery, but what is to keep others from theirs. */
export class Strangers {
  readonly #port: number;
  readonly #sockets: Socket[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  /** How many of their connections are open. */
  get open(): number {
    return this.openOf(0, this.#sockets.length);
  }

  /** How many are open of those from one up to another, in the order in which they were made. */
  openOf(from: number, to: number): number {
    return this.#sockets.slice(from, to).filter(({ readyState }) => readyState === 'open').length;
  }

  /** What the listener answered, connection by connection. */
  readonly answers: string[] = [];

  /** Each connection says that so many bytes come, sends a part of them, and holds on. */
  hold(connections: number, declared: number, sent: number): void {
    const start = Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${declared}\r\n\r\n`);
    this.#each(connections, [start, Buffer.alloc(sent, 'x')]);
  }

  /** The same without saying how many will come. */
  holdChunked(connections: number, sent: number): void {
    const start = `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${sent.toString(16)}\r\n`;
    this.#each(connections, [Buffer.from(start), Buffer.alloc(sent, 'x')]);
  }

  /** Whole bodies in chunks of one byte each. */
  sendByteByByte(connections: number, bytes: number): void {
    const chunks = Buffer.from('1\r\nx\r\n'.repeat(1 << 16));
    const parts = [Buffer.from('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')];
    for (let left = bytes; left > 0; left -= 1 << 16)
      parts.push(chunks.subarray(0, 6 * Math.min(left, 1 << 16)));
    this.#each(connections, [...parts, Buffer.from('0\r\n\r\n')]);
  }

  /** Whole bodies, one after the other. */
  send(connections: number, bytes: number, bodies: number): void {
    const start = Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`);
    const body = Buffer.alloc(bytes, 'x');
    this.#each(connections, Array.from({ length: bodies }, () => [start, body]).flat());
  }

  /** Connections that say nothing. */
  connect(connections: number): void {
    this.#each(connections, []);
  }

  leave(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy();
  }

  #each(connections: number, parts: readonly Buffer[]): void {
    for (let count = 0; count < connections; count += 1) {
      const socket = connect(this.#port, '127.0.0.1');
      const at = this.answers.push('') - 1;
      let next = 0;
      const go = (): void => {
        while (next < parts.length && !socket.destroyed) {
          if (!socket.write(parts[next++]!)) return;
        }
      };
      socket.on('connect', go).on('drain', go);
      socket.on(
        'data',
        (chunk) => (this.answers[at] = `${this.answers[at] ?? ''}${chunk.toString('latin1')}`),
      );
      // Being thrown out is what they have to expect.
      socket.on('error', () => undefined);
      this.#sockets.push(socket);
    }
  }
}
