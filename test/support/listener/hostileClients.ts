import { connect, type Socket } from 'node:net';

/** Connections that try to exhaust a listener: unfinished bodies, tiny chunks, idle sockets. */
export class HostileClients {
  readonly #port: number;
  readonly #sockets: Socket[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  /** The number of open connections. */
  get open(): number {
    return this.openBetween(0, this.#sockets.length);
  }

  /** The number of open connections in a range, in the order of their creation. */
  openBetween(from: number, to: number): number {
    return this.#sockets.slice(from, to).filter(({ readyState }) => readyState === 'open').length;
  }

  /** The listener's answers, by connection. */
  readonly answers: string[] = [];

  /** Each connection declares a length, sends a part of the body, and waits. */
  hold(connections: number, declared: number, sent: number): void {
    const start = Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${declared}\r\n\r\n`);
    this.#each(connections, [start, Buffer.alloc(sent, 'x')]);
  }

  /** Each connection sends one chunk of a chunked body, and waits. */
  holdChunked(connections: number, sent: number): void {
    const start = `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${sent.toString(16)}\r\n`;
    this.#each(connections, [Buffer.from(start), Buffer.alloc(sent, 'x')]);
  }

  /** Sends complete bodies in chunks of one byte. */
  sendByteByByte(connections: number, bytes: number): void {
    const chunks = Buffer.from('1\r\nx\r\n'.repeat(1 << 16));
    const parts = [Buffer.from('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')];
    for (let left = bytes; left > 0; left -= 1 << 16)
      parts.push(chunks.subarray(0, 6 * Math.min(left, 1 << 16)));
    this.#each(connections, [...parts, Buffer.from('0\r\n\r\n')]);
  }

  /** Each connection sends complete bodies, one after the other. */
  send(connections: number, bytes: number, bodies: number): void {
    const start = Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`);
    const body = Buffer.alloc(bytes, 'x');
    this.#each(connections, Array.from({ length: bodies }, () => [start, body]).flat());
  }

  /** Opens connections that send nothing. */
  connect(connections: number): void {
    this.#each(connections, []);
  }

  disconnect(): void {
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
      // The listener may reset them.
      socket.on('error', () => undefined);
      this.#sockets.push(socket);
    }
  }
}
