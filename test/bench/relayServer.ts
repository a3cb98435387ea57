// The relay as a process of its own, for `relay.ts`: `relayServer <nats URL>`. Sends its port; for each message with a
// concurrency it publishes for that long by itself, and sends how many were acknowledged.
import { randomBytes } from 'node:crypto';
import { Engine, engineLimits } from '../../src/relay/engine.ts';
import { Relay } from '../../src/relay/relay.ts';

const [nats = ''] = process.argv.slice(2);
// More than a channel holds is posted here.
const limits = { ...engineLimits, keptMost: 100_000_000 };
const options = { nats: [nats], replicas: 1, host: '127.0.0.1', port: 0, limits };
const relay = await Relay.start({ ...options, log: () => undefined });
const engine = new Engine({ servers: [nats], replicas: 1, limits });
await engine.ready;
process.send?.({ port: relay.port });

interface Order {
  channel: string;
  bytes: number;
  concurrency: number;
  durationMs: number;
}

process.on('message', (order: Order) => void publish(order));

async function publish({ channel, bytes, concurrency, durationMs }: Order): Promise<void> {
  const message = randomBytes(bytes);
  const started = performance.now();
  let acknowledged = 0;
  const work = async (): Promise<void> => {
    while (performance.now() - started < durationMs) {
      await engine.take(channel, message, crypto.randomUUID());
      acknowledged += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  process.send?.({ perSecond: (1000 * acknowledged) / (performance.now() - started) });
}
