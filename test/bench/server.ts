// A server of the benchmark, in a process of its own: `node server.ts <kind> [blocked]`. Prints its port.
import { mkdtempSync } from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Channel } from '../../src/model/channel.ts';
import type {
  HostCalls,
  ListenerSettings,
  ListenerWorkerData,
  WorkerCalls,
} from '../../src/model/listenerProtocol.ts';
import { benchSecret } from './load.ts';

/** The least that a webhook server can do: read the body, answer 200. */
async function bare(): Promise<number> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve));
  return (server.address() as AddressInfo).port;
}

/** The listener as shipped: the bundled worker, its journal on the disk, its news told to this thread. */
async function listener(): Promise<number> {
  const settings: ListenerSettings = {
    secrets: {},
    toleranceSeconds: 300,
    acceptUnverified: false,
    maxBodyBytes: 10 << 20,
    forwardMode: 'afterAck',
    keep: 1000,
    isPublic: false,
  };
  const folder = mkdtempSync(join(process.env['RUNHOOK_BENCH_FOLDER'] ?? tmpdir(), 'runhook-bench-'));
  const workerData: ListenerWorkerData = { folder, settings, messages: {} };
  const worker = new Worker(new URL('../../dist/listener.worker.js', import.meta.url), { workerData });
  const channel = new Channel<HostCalls, WorkerCalls>(worker, { arrived: () => null, journal: () => null });
  await channel.request('configure', { ...settings, secrets: { current: benchSecret } });
  return (await channel.request('listen', { port: 0 })).port;
}

const [kind, blocked] = process.argv.slice(2);
const port = kind === 'listener' ? await listener() : await bare();
process.stdout.write(`${port}\n`);
if (blocked !== undefined) {
  // An extension host at work: busy for 2 s in every 3.
  setInterval(() => {
    const until = Date.now() + 2000;
    while (Date.now() < until);
  }, 3000);
}
