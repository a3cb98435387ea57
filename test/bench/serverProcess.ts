import { fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Channel } from '../../src/model/processes/channel.ts';
import type { DeliveryFilter } from '../../src/model/deliveries/deliveryFilter.ts';
import type { DeliveryPage } from '../../src/model/processes/listenerProtocol.ts';
import type { BenchCalls, ProgramMemory } from './benchWindow.ts';

const programs = {
  bare: 'bareServer.ts',
  plain: 'plainServer.ts',
  listener: 'benchWindow.ts',
  express: 'expressServer.mjs',
} as const;

export interface BenchServer {
  port: number;
  /** Waits until the server has finished its work for all answered requests. @param answered their number */
  settle: (answered: number) => Promise<void>;
  /** Only for the listener, as are `kept` and `page`. */
  memory: () => Promise<ProgramMemory>;
  kept: () => Promise<number>;
  page: (filter: DeliveryFilter, limit: number) => Promise<DeliveryPage>;
  end: () => Promise<void>;
}

/**
 * Starts a server in a process.
 * @param store an existing storage folder for the listener, which is kept
 */
export async function startServer(
  kind: keyof typeof programs,
  options: readonly string[] = [],
  store?: string,
): Promise<BenchServer> {
  const file = fileURLToPath(new URL(programs[kind], import.meta.url));
  const child = fork(file, options, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...(store !== undefined && { RUNHOOK_BENCH_STORE: store }) },
  });
  if (child.stdout === null) throw new Error('The server has no output.');
  const channel = new Channel<BenchCalls, Record<string, { takes: unknown; gives: unknown }>>(
    {
      postMessage: (message) => child.send(message as object),
      on: (event, listener) => child.on(event, listener),
    },
    {},
  );
  for await (const line of createInterface(child.stdout)) {
    return {
      port: Number(line),
      settle: async (answered) => {
        if (kind === 'listener') await channel.request('settle', { answered });
      },
      memory: () => channel.request('memory', null),
      kept: () => channel.request('kept', null),
      page: (filter, limit) => channel.request('page', { filter, limit }),
      end: async () => {
        if (kind === 'listener') await channel.request('end', null);
        child.kill('SIGKILL');
      },
    };
  }
  throw new Error(`The server "${kind}" ended before it listened.`);
}
