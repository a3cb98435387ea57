// The listener program as shipped, its store on the disk, and the window that it tells of all that comes, in a process
// that stands for the extension host: `node benchWindow.ts [blocked]`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { attachProgram } from '../../src/client/program/attachProgram.ts';
import { version } from '../../src/commandLine/version.ts';
import { Channel } from '../../src/model/processes/channel.ts';
import type { ListenerSettings, ProgramCalls } from '../../src/model/processes/listenerProtocol.ts';
import { defaultSecret } from '../support/defaultSecret.ts';
import { shippedProgram } from './shippedProgram.ts';
import { benchSecret } from './load.ts';
import { deafWindow } from '../support/deafWindow.ts';

/** Megabytes that the program has in memory: now, and at most up to now. */
export interface ProgramMemory {
  now: number;
  most: number;
}

/** What the benchmark asks of it. */
export type BenchCalls = {
  /** Resolves when the news of so many deliveries has been told: what is left would weigh on the next server. */
  settle: { takes: { answered: number }; gives: null };
  memory: { takes: null; gives: ProgramMemory };
  /** How many deliveries the store's file holds. */
  kept: { takes: null; gives: number };
  page: { takes: ProgramCalls['page']['takes']; gives: ProgramCalls['page']['gives'] };
  /** Ends the program; nothing of it is left. */
  end: { takes: null; gives: null };
};

// It ends with who started it, however that ends; the program ends soon after it.
process.on('disconnect', () => process.exit());

/** The largest number that a user can have kept. */
const keep = 100_000;
const settings: ListenerSettings = {
  secrets: [defaultSecret(benchSecret)],
  toleranceSeconds: 300,
  acceptUnverified: false,
  maxBodyBytes: 10 << 20,
  forwardMode: 'afterAck',
  keep,
  isPublic: false,
  keepAliveSeconds: 0,
};
const given = process.env['RUNHOOK_BENCH_STORE'];
const folder = given ?? mkdtempSync(join(process.env['RUNHOOK_BENCH_FOLDER'] ?? tmpdir(), 'runhook-bench-'));
let told = 0;
const { peer, welcome } = await attachProgram({
  entry: shippedProgram,
  folder,
  version: version(),
  replaces: false,
  hello: () => Promise.resolve({ settings, messages: {} }),
  handlers: {
    ...deafWindow,
    news: ({ upserts }) => {
      told += upserts.filter(({ isNew }) => isNew).length;
      return null;
    },
  },
});
new Channel<Record<string, { takes: unknown; gives: unknown }>, BenchCalls>(
  { postMessage: (message) => process.send?.(message), on: (event, listener) => process.on(event, listener) },
  {
    settle: async ({ answered }) => {
      const until = performance.now() + 60_000;
      while (told < answered && performance.now() < until) await new Promise((go) => setTimeout(go, 10));
      return null;
    },
    memory: () => memoryOf(welcome.pid),
    kept: () => {
      const database = new DatabaseSync(join(folder, 'deliveries', 'deliveries.sqlite'));
      const count = Number(database.prepare('SELECT count(*) AS count FROM deliveries').get()?.['count']);
      database.close();
      return count;
    },
    page: (takes) => peer.request('page', takes),
    end: async () => {
      await peer.request('stop', null);
      await peer.closed;
      if (given === undefined) rmSync(folder, { recursive: true, force: true });
      return null;
    },
  },
);
process.stdout.write(`${(await peer.request('listen', { port: 0 })).port}\n`);
if (process.argv[2] === 'blocked') {
  // An extension host at work: busy for 2 s in every 3.
  setInterval(() => {
    const until = Date.now() + 2000;
    while (Date.now() < until);
  }, 3000);
}

function memoryOf(pid: number): ProgramMemory {
  if (process.platform !== 'linux') return { now: Number.NaN, most: Number.NaN };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}
