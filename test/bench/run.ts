// npm run bench: the listener beside a bare node:http server, in one run on one machine. No network.
// `--rounds 9 --seconds 3` runs it at length.
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { paced, saturate, signedRequests } from './load.ts';
import { startServer } from './serverProcess.ts';
import { median, percentile, spread } from './statistics.ts';
import { syncTime } from './syncTime.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const durationMs = Number(values.seconds) * 1000;

async function throughput(bodyBytes: number): Promise<void> {
  const [bare, listener] = [await startServer('bare'), await startServer('listener')];
  const requests = signedRequests(bodyBytes > 10_000 ? 2000 : 30_000, bodyBytes);
  try {
    await saturate(bare.port, requests, 16, 1000);
    await saturate(listener.port, requests, 16, 1000);
    for (const connections of [1, 16, 128]) {
      const ratios: number[] = [];
      const bares: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const ofBare = await saturate(bare.port, requests, connections, durationMs);
        const ofListener = await saturate(listener.port, requests, connections, durationMs);
        bares.push(ofBare);
        ratios.push(ofListener / ofBare);
      }
      const ratio = median(ratios).toFixed(2);
      console.log(
        `${bodyBytes} B, ${connections} connections: ${ratio} of bare (${spread(ratios)}); bare ${Math.round(median(bares))}/s`,
      );
    }
  } finally {
    bare.end();
    listener.end();
  }
}

async function blockedHost(): Promise<void> {
  for (const kind of ['bare', 'listener']) {
    const server = await startServer(kind, 'blocked');
    try {
      const taken = await paced(server.port, signedRequests(2000, 1024), 200, Math.max(6000, 3 * durationMs));
      const where = kind === 'bare' ? 'a server in the host' : 'the listener in its thread';
      const [p50, p99, worst] = [0.5, 0.99, 1].map((part) => percentile(taken, part).toFixed(1));
      console.log(
        `host busy 2 s in every 3, 200/s, ${where}: median ${p50} ms, p99 ${p99} ms, worst ${worst} ms`,
      );
    } finally {
      server.end();
    }
  }
}

function disk(): void {
  const { median: usual, p99 } = syncTime();
  console.log(`disk: 1.5 KB written and synced in ${usual.toFixed(3)} ms (p99 ${p99.toFixed(3)} ms)`);
}

console.log(
  `${cpus().length} × ${cpus()[0]?.model ?? ''}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1) ?? ''}`,
);
disk();
await throughput(1024);
await throughput(64 * 1024);
await blockedHost();
disk();
