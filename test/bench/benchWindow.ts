// Stands in for the extension host: starts the listener program as shipped, with a store on the disk, and receives its
// news as a window does. `node benchWindow.ts [blocked | secrets <how many>]`
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { attachProgram } from '../../src/listener/attach/attachProgram.ts';
import { version } from '../../src/commandLine/version.ts';
import type { ListenerSettings, ProgramCalls } from '../../src/deliveries/listenerProtocol.ts';
import { connectRpc } from '../../src/shared/rpc/rpc.ts';
import { defaultSecret } from '../support/listener/defaultSecret.ts';
import { processSettings } from '../support/listener/listenerProcess.ts';
import { blockThread } from '../support/processes/blockThread.ts';
import { bundledCommandLine } from './bundledCommandLine.ts';
import { benchSecret } from './load.ts';
import { ignoringHandlers } from '../support/listener/ignoringHandlers.ts';

/** Resident memory of the listener program in MB: now, and its peak; and the processor time that it has taken. */
export interface ProgramMemory {
  now: number;
  most: number;
  cpuMs: number;
}

/** The calls that the benchmark makes to this process. */
export interface BenchCalls extends Pick<ProgramCalls, 'page'> {
  /** Waits until the window knows of all answered deliveries: unfinished work would slow down the next measurement. */
  settle(given: { answered: number }): void;
  memory(): ProgramMemory;
  /** The number of deliveries in the store. */
  kept(): number;
  /** Stops the program and removes its folder. */
  end(): void;
}

// Exits with its parent. The listener program then stops too, because its last window is gone.
process.on('disconnect', () => process.exit());

const [, , mode, secretCount = '1'] = process.argv;
const otherSecrets = mode === 'secrets' ? Number(secretCount) - 1 : 0;
const settings: ListenerSettings = {
  ...processSettings,
  secrets: [
    defaultSecret(benchSecret),
    ...Array.from({ length: otherSecrets }, (_, at) => defaultSecret(`another secret, number ${at}`)),
  ],
  keepAliveSeconds: 0,
};
const given = process.env['RUNHOOK_BENCH_STORE'];
const folder = given ?? mkdtempSync(join(process.env['RUNHOOK_BENCH_FOLDER'] ?? tmpdir(), 'runhook-bench-'));
let toldCount = 0;
const { peer, welcome } = await attachProgram({
  entry: bundledCommandLine,
  folder,
  version: version(),
  replaces: false,
  hello: () => Promise.resolve({ settings, messages: {} }),
  handlers: {
    ...ignoringHandlers,
    news: ({ arrived }) => {
      toldCount += arrived.length;
    },
  },
});
connectRpc<object, BenchCalls>(
  { post: (message) => process.send?.(message), onMessage: (listener) => process.on('message', listener) },
  {
    settle: async ({ answered }) => {
      const until = performance.now() + 60_000;
      while (toldCount < answered && performance.now() < until) await new Promise((go) => setTimeout(go, 10));
    },
    memory: () => memoryOf(welcome.pid),
    kept: () => {
      const database = new DatabaseSync(join(folder, 'deliveries', 'deliveries.sqlite'));
      const count = Number(database.prepare('SELECT count(*) AS count FROM deliveries').get()?.['count']);
      database.close();
      return count;
    },
    page: (takes) => peer.call.page(takes),
    end: async () => {
      await peer.call.stop();
      await peer.closed;
      if (given === undefined) rmSync(folder, { recursive: true, force: true });
    },
  },
);
process.stdout.write(`${(await peer.call.listen({ port: 0 })).port}\n`);
if (mode === 'blocked') {
  // Stands in for a busy extension host: blocked for 2 s in every 3.
  setInterval(() => blockThread(2000), 3000);
}

function memoryOf(pid: number): ProgramMemory {
  if (process.platform !== 'linux') return { now: Number.NaN, most: Number.NaN, cpuMs: Number.NaN };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  // The 14th and the 15th field, in hundredths of a second; the second is the name in parentheses.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const cpuMs = 10 * (Number(fields[11]) + Number(fields[12]));
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM'), cpuMs };
}
