import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sendAtRate, signedRequests } from './load.ts';
import { startServer } from './serverProcess.ts';
import { percentile } from './statistics.ts';

const program = fileURLToPath(new URL('./forgeryClient.ts', import.meta.url));
const secrets = 50;
const genuinePerSecond = 40;
const forgedPerSecond = 500;
const goalMs = 100;

/** Measures the latency of deliveries of 1 KB while a stranger posts forgeries of two bytes, with many secrets held. */
export async function forgeryLatency(durationMs: number): Promise<string[]> {
  const lines: string[] = [];
  for (const perSecond of [0, forgedPerSecond]) {
    const server = await startServer('listener', ['secrets', String(secrets)]);
    let stranger: ReturnType<typeof fork> | undefined;
    try {
      const genuine = signedRequests((genuinePerSecond * durationMs) / 1000, 1024);
      await sendAtRate(server.port, genuine.slice(0, 20), genuinePerSecond, 500);
      const before = await server.memory();
      const keptBefore = await server.kept();
      stranger =
        perSecond === 0
          ? undefined
          : fork(program, [String(server.port), String(perSecond)], {
              stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
            });
      const taken = await sendAtRate(server.port, genuine, genuinePerSecond, durationMs);
      const { cpuMs } = await server.memory();
      const refused = (await server.kept()) - keptBefore - taken.length;
      const [p50, p99] = [percentile(taken, 0.5), percentile(taken, 0.99)];
      const busy = (100 * (cpuMs - before.cpuMs)) / durationMs;
      lines.push(
        `${secrets} secrets, ${perSecond} forged a second (${refused} came): ${taken.length} of ${genuine.length} ` +
          `answered, median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms (goal ${goalMs}), ${busy.toFixed(0)} % of a core`,
      );
    } finally {
      stranger?.kill();
      await server.end();
    }
  }
  return lines;
}
