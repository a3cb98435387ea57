import { randomBytes } from 'node:crypto';
import { requestBytes } from '../support/listener/wire.ts';
import { sendAtRate, signedRequests } from './load.ts';
import { startServer } from './serverProcess.ts';
import { percentile } from './statistics.ts';

const secrets = 50;
const genuinePerSecond = 40;
const forgedPerSecond = 500;
const goalMs = 100;

/** Measures the latency of deliveries of 1 KB while a stranger posts forgeries of two bytes, with many secrets held. */
export async function forgeryLatency(durationMs: number): Promise<string[]> {
  const lines: string[] = [];
  for (const perSecond of [0, forgedPerSecond]) {
    const server = await startServer('listener', ['secrets', String(secrets)]);
    try {
      const genuine = signedRequests((genuinePerSecond * durationMs) / 1000, 1024);
      await sendAtRate(server.port, genuine.slice(0, 20), genuinePerSecond, 500);
      const before = await server.memory();
      let refused = 0;
      const [taken] = await Promise.all([
        sendAtRate(server.port, genuine, genuinePerSecond, durationMs),
        sendAtRate(
          server.port,
          Array.from({ length: 500 }, forgery),
          perSecond,
          durationMs,
          () => (refused += 1),
        ),
      ]);
      const { cpuMs } = await server.memory();
      const [p50, p99] = [percentile(taken, 0.5), percentile(taken, 0.99)];
      const busy = (100 * (cpuMs - before.cpuMs)) / durationMs;
      lines.push(
        `${secrets} secrets, ${perSecond} forged a second (${refused} refused): ${taken.length} of ${genuine.length} ` +
          `answered, median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms (goal ${goalMs}), ${busy.toFixed(0)} % of a core`,
      );
    } finally {
      await server.end();
    }
  }
  return lines;
}

function forgery(): Buffer {
  const headers = {
    'X-Request-Id': randomBytes(8).toString('hex'),
    'X-Service-Webhook-Timestamp': String(Math.floor(Date.now() / 1000)),
    'X-Service-Webhook-Signature': `v1,${randomBytes(32).toString('hex')}`,
  };
  return requestBytes(headers, '{}');
}
