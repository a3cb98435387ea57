// A process that listens in a worker thread, as the extension host does, for tests that kill it.
import { Worker } from 'node:worker_threads';
import { Channel } from '../../src/model/channel.ts';
import type {
  HostCalls,
  ListenerSettings,
  ListenerWorkerData,
  WorkerCalls,
} from '../../src/model/listenerProtocol.ts';
import { defaultSecret } from './defaultSecret.ts';

const [folder = '', secret = ''] = process.argv.slice(2);
const settings: ListenerSettings = {
  secrets: [],
  toleranceSeconds: 300,
  acceptUnverified: false,
  isPublic: false,
  maxBodyBytes: 1 << 20,
  forwardMode: 'afterAck',
  keep: 1_000_000,
};
const workerData: ListenerWorkerData = { folder, settings, messages: {} };
const worker = new Worker(new URL('../../src/webhooks/listener.worker.ts', import.meta.url), { workerData });
const channel = new Channel<HostCalls, WorkerCalls>(worker, {
  arrived: () => null,
  journal: ({ problem }) => {
    process.stdout.write(`${JSON.stringify({ problem: problem ?? null })}\n`);
    return null;
  },
});
await channel.request('configure', { ...settings, secrets: [defaultSecret(secret)] });
const { port } = await channel.request('listen', { port: 0 });
process.stdout.write(`${JSON.stringify({ port })}\n`);
