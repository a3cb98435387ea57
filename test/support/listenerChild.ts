// A process that listens in a worker thread, as the extension host does, for tests that kill it or flood it. For
// each line on its standard input it tells how much memory it has taken at most.
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ListenerWorker } from '../../src/editor/listener/listenerWorker.ts';
import type { ListenerSettings } from '../../src/model/listenerProtocol.ts';
import { defaultSecret } from './defaultSecret.ts';

const [folder = '', secret = '', changed = '{}'] = process.argv.slice(2);
const settings: ListenerSettings = {
  secrets: [],
  toleranceSeconds: 300,
  acceptUnverified: false,
  isPublic: false,
  maxBodyBytes: 10 << 20,
  forwardMode: 'afterAck',
  keep: 1_000_000,
  ...(JSON.parse(changed) as Partial<ListenerSettings>),
};
const say = (what: object): boolean => process.stdout.write(`${JSON.stringify(what)}\n`);
const worker = new ListenerWorker(
  fileURLToPath(new URL('../../src/webhooks/listener.worker.ts', import.meta.url)),
  { folder, settings, messages: {} },
  {
    arrived: () => null,
    journal: ({ problem }) => {
      say({ problem: problem ?? null });
      return null;
    },
  },
  (reason) => {
    throw reason;
  },
);
await worker.channel.request('configure', { ...settings, secrets: [defaultSecret(secret)] });
const { port } = await worker.channel.request('listen', { port: 0 });
say({ port });
createInterface(process.stdin).on('line', () => say({ mostKb: process.resourceUsage().maxRSS }));
