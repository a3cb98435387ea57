import { sendAtRate, signedRequests } from './load.ts';
import { startServer } from './serverProcess.ts';
import { percentile } from './statistics.ts';

/** Measures the latency of a server in the extension host and of the listener, while the host is blocked 2 s in every 3. */
export async function blockedHost(durationMs: number): Promise<string[]> {
  const lines: string[] = [];
  for (const kind of ['bare', 'listener'] as const) {
    const server = await startServer(kind, ['blocked']);
    try {
      const taken = await sendAtRate(server.port, signedRequests(2000, 1024), 200, durationMs);
      const where = kind === 'bare' ? 'a server in the host' : 'the listener program (goal: p99 10 ms)';
      const [p50, p99, worst] = [0.5, 0.99, 1].map((part) => percentile(taken, part).toFixed(1));
      lines.push(
        `host busy 2 s in every 3, 200/s, ${where}: median ${p50} ms, p99 ${p99} ms, worst ${worst} ms`,
      );
    } finally {
      await server.end();
    }
  }
  return lines;
}
