import { fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DeliveryFilter } from '../../src/deliveries/deliveryFilter.ts';
import type { DeliveryPage } from '../../src/deliveries/listenerProtocol.ts';
import { connectRpc } from '../../src/shared/rpc/rpc.ts';
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
  const rpc = connectRpc<BenchCalls, object>(
    {
      post: (message) => child.send(message as object),
      onMessage: (listener) => child.on('message', listener),
    },
    {},
  );
  for await (const line of createInterface(child.stdout)) {
    return {
      port: Number(line),
      settle: async (answered) => {
        if (kind === 'listener') await rpc.call.settle({ answered });
      },
      memory: () => rpc.call.memory(),
      kept: () => rpc.call.kept(),
      page: (filter, limit) => rpc.call.page({ filter, limit }),
      end: async () => {
        if (kind === 'listener') await rpc.call.end();
        child.kill('SIGKILL');
      },
    };
  }
  throw new Error(`The server "${kind}" ended before it listened.`);
}
