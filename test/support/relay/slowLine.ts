import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** How much goes through at once. */
const stepBytes = 50_000;
const shortestPauseMs = 20;

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
    void carry(far, near, bytesPerSecond);
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

/** What was late on a busy machine is made up for, up to a second of it: so the rate stays what was asked for. */
async function carry(from: Socket, to: Socket, bytesPerSecond: number): Promise<void> {
  let due = 0;
  for await (const chunk of from as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += stepBytes) {
      const step = chunk.subarray(at, at + stepBytes);
      to.write(step);
      const now = performance.now();
      due = Math.max(due, now - 1000) + (step.length / bytesPerSecond) * 1000;
      if (due - now > shortestPauseMs) await pause(due - now);
    }
  }
}
