import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sendAtRate, signedRequests } from './load.ts';
import { startServer } from './serverProcess.ts';
import { percentile } from './statistics.ts';

const program = fileURLToPath(new URL('./floodClient.ts', import.meta.url));
const perSecond = 40;
const goalMs = 250;

/** Measures the latency of deliveries of 1 KB and the memory of the listener during each of some floods. */
export async function floodLatency(durationMs: number, kinds: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const kind of kinds) {
    const server = await startServer('listener');
    const requests = signedRequests((perSecond * durationMs) / 1000, 1024);
    await sendAtRate(server.port, requests.slice(0, 20), perSecond, 500);
    const strangers = fork(program, [String(server.port), kind], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    try {
      const taken = await sendAtRate(server.port, requests, perSecond, durationMs, () => undefined);
      const { most } = await server.memory();
      const [p50, p99, worst] = [0.5, 0.99, 1].map((part) => percentile(taken, part).toFixed(0));
      lines.push(
        `${kind}: ${taken.length} of ${requests.length} answered, median ${p50} ms, p99 ${p99} ms, worst ${worst} ms, ` +
          `goal p99 ${goalMs} ms${process.platform === 'linux' ? `; ${most.toFixed(0)} MB at most` : ''}`,
      );
    } finally {
      strangers.kill();
      await server.end();
    }
  }
  return lines;
}
