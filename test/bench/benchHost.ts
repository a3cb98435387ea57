// The listener as shipped, in a process that stands for the extension host: `node benchHost.ts [blocked]`.
// The bundled worker, its journal on the disk, its news told to this thread.
import { mkdtempSync } from 'node:fs';
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
import { defaultSecret } from '../support/defaultSecret.ts';
import { benchSecret } from './load.ts';

/** What the benchmark asks of it. */
export type BenchCalls = {
  /** Resolves when the news of so many deliveries has been told: what is left would weigh on the next server. */
  settle: { takes: { answered: number }; gives: null };
  /** Bytes in use, after a garbage collection; and what the process has taken at most up to now. */
  memory: { takes: null; gives: { host: number; worker: number; most: number } };
};

// It ends with who started it, however that ends.
process.on('disconnect', () => process.exit());

const settings: ListenerSettings = {
  secrets: [],
  toleranceSeconds: 300,
  acceptUnverified: false,
  maxBodyBytes: 10 << 20,
  forwardMode: 'afterAck',
  keep: 1000,
  isPublic: false,
};
const folder = mkdtempSync(join(process.env['RUNHOOK_BENCH_FOLDER'] ?? tmpdir(), 'runhook-bench-'));
const workerData: ListenerWorkerData = { folder, settings, messages: {} };
const collect = new Int32Array(new SharedArrayBuffer(4));
const worker = new Worker(new URL('benchWorker.ts', import.meta.url), {
  workerData: { ...workerData, collect },
});
let told = 0;
const channel = new Channel<HostCalls, WorkerCalls>(worker, {
  arrived: ({ arrivals }) => {
    told += arrivals.length;
    return null;
  },
  journal: () => null,
});
new Channel<Record<string, { takes: unknown; gives: unknown }>, BenchCalls>(
  { postMessage: (message) => process.send?.(message), on: (event, listener) => process.on(event, listener) },
  {
    settle: async ({ answered }) => {
      const until = performance.now() + 60_000;
      while (told < answered && performance.now() < until) await new Promise((go) => setTimeout(go, 10));
      return null;
    },
    memory: async () => {
      const most = process.resourceUsage().maxRSS * 1024;
      globalThis.gc?.();
      Atomics.store(collect, 0, 1);
      while (Atomics.load(collect, 0) === 1) await new Promise((go) => setTimeout(go, 20));
      const { heapUsed, external } = process.memoryUsage();
      const inThread = await worker.getHeapStatistics();
      return { host: heapUsed + external, worker: inThread.used_heap_size + inThread.external_memory, most };
    },
  },
);
await channel.request('configure', { ...settings, secrets: [defaultSecret(benchSecret)] });
process.stdout.write(`${(await channel.request('listen', { port: 0 })).port}\n`);
if (process.argv[2] === 'blocked') {
  // An extension host at work: busy for 2 s in every 3.
  setInterval(() => {
    const until = Date.now() + 2000;
    while (Date.now() < until);
  }, 3000);
}
