import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** How often the line lets something through in a second. */
const steps = 20;

/** A line to an engine that carries so many bytes a second from there, and what goes there at once. */
export async function startSlowLine(
  engine: URL,
  bytesPerSecond: number,
): Promise<{ url: string; end: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(engine.port), engine.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far);
    void carry(far, near, bytesPerSecond / steps);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    end: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function carry(from: Socket, to: Socket, bytesPerStep: number): Promise<void> {
  for await (const chunk of from as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += bytesPerStep) {
      to.write(chunk.subarray(at, at + bytesPerStep));
      await pause((Math.min(bytesPerStep, chunk.length - at) / bytesPerStep) * (1000 / steps));
    }
  }
}
