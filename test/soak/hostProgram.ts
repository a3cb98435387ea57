// The stand-in of an extension host in the soak: keeps a listener's thread as the extension does, and does what
// the soak asks over the channel of the process. A rejection that nobody handles ends it, as Node does by itself.
import { Worker } from 'node:worker_threads';
import { Channel } from '../../src/model/channel.ts';
import type {
  HostCalls,
  ListenerSettings,
  NextResponses,
  WorkerCalls,
} from '../../src/model/listenerProtocol.ts';
import { defaultSecret } from '../support/defaultSecret.ts';
import { cellCount, clockCell, collectCell, diskCell, diskFaults, type DiskFault } from './faultCells.ts';

export interface HostOptions {
  folder: string;
  port: number;
  secret: string;
  forwardTo: string;
  /** Not to wait for a port that somebody has. */
  once?: boolean;
}

/** Bytes in use after a garbage collection. */
export interface Memory {
  host: number;
  worker: number;
}

export type SoakCalls = {
  /** Resolves when it listens; waits for a port that a host before it still has. */
  start: { takes: HostOptions; gives: { port: number } };
  /** Ends the thread in the middle of what it does, and starts the next one. */
  endThread: { takes: null; gives: null };
  setDisk: { takes: DiskFault; gives: null };
  setClock: { takes: { seconds: number }; gives: null };
  /** Does nothing else for that long. */
  block: { takes: { ms: number }; gives: null };
  setNextResponses: { takes: NextResponses; gives: null };
  memory: { takes: null; gives: Memory };
  clear: { takes: null; gives: null };
  end: { takes: null; gives: null };
};

// It ends with who started it, however that ends.
process.on('disconnect', () => process.exit());

const cells = new Int32Array(new SharedArrayBuffer(4 * cellCount));
let options: HostOptions;
let worker: Worker;
let channel: Channel<HostCalls, WorkerCalls>;
let told: string | undefined;

const soak = new Channel<{ problem: { takes: string | undefined; gives: null } }, SoakCalls>(
  { postMessage: (message) => process.send?.(message), on: (event, listener) => process.on(event, listener) },
  {
    start: async (given) => {
      options = given;
      return { port: await startThread(given.port) };
    },
    endThread: async () => {
      await worker.terminate();
      await startThread(options.port);
      return null;
    },
    setDisk: (fault) => {
      Atomics.store(cells, diskCell, diskFaults.indexOf(fault));
      return null;
    },
    setClock: ({ seconds }) => {
      Atomics.store(cells, clockCell, seconds);
      return null;
    },
    block: ({ ms }) => {
      const until = performance.now() + ms;
      while (performance.now() < until);
      return null;
    },
    setNextResponses: (next) => channel.request('setNextResponses', next),
    memory: async () => {
      globalThis.gc?.();
      Atomics.store(cells, collectCell, 1);
      while (Atomics.load(cells, collectCell) === 1) await new Promise((resolve) => setTimeout(resolve, 20));
      const { heapUsed, external } = process.memoryUsage();
      const inThread = await worker.getHeapStatistics();
      return { host: heapUsed + external, worker: inThread.used_heap_size + inThread.external_memory };
    },
    clear: () => channel.request('clear', null),
    end: async () => {
      await channel.request('end', null);
      await worker.terminate();
      return null;
    },
  },
);

async function startThread(port: number): Promise<number> {
  const { folder, secret, forwardTo } = options;
  const settings: ListenerSettings = {
    secrets: [],
    toleranceSeconds: 300,
    acceptUnverified: false,
    isPublic: false,
    maxBodyBytes: 1 << 20,
    forwardTo,
    forwardMode: 'afterAck',
    keep: 1_000_000,
  };
  worker = new Worker(new URL('faultyWorker.ts', import.meta.url), {
    workerData: { folder, settings, messages: {}, cells },
  });
  // Not asked to end, it throws here and ends the process: the soak sees that.
  channel = new Channel<HostCalls, WorkerCalls>(worker, {
    arrived: () => null,
    journal: async ({ problem }) => {
      const isNew = problem !== told;
      // Before it is told: the next word may come meanwhile.
      told = problem;
      if (isNew) await soak.request('problem', problem);
      return null;
    },
  });
  await channel.request('configure', { ...settings, secrets: [defaultSecret(secret)] });
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await channel.request('listen', { port })).port;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || attempt === (options.once ? 1 : 200)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
