import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands in for a tunnel: hands connections on, and can die in the middle of what goes through it. */
export class Relay {
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

  /** @param to the port that it forwards to, asked for with each connection */
  static async start(to: () => number): Promise<Relay> {
    const relay = new Relay(to);
    await new Promise<void>((resolve) => relay.#server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  get port(): number {
    // A server that listens on TCP has an AddressInfo.
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends all that goes through it. */
  die(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.die();
    await closed;
  }
}
