import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A fake tunnel: forwards TCP connections, and can break all of them. */
export class FakeTunnel {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(to: () => number) {
    this.#server = createServer((near) => {
      const far = connect(to(), '127.0.0.1');
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        const gone = (): void => {
          this.#sockets.delete(socket);
          near.destroy();
          far.destroy();
        };
        socket.on('close', gone).on('error', gone);
      }
      near.pipe(far).pipe(near);
    });
  }

  /** @param to returns the target port, called for each connection */
  static async start(to: () => number): Promise<FakeTunnel> {
    const tunnel = new FakeTunnel(to);
    await new Promise<void>((resolve) => tunnel.#server.listen(0, '127.0.0.1', resolve));
    return tunnel;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resets all connections. */
  breakConnections(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.breakConnections();
    await closed;
  }
}
