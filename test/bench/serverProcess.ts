import { fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Channel } from '../../src/model/channel.ts';
import type { BenchCalls } from './benchHost.ts';

const programs = { bare: 'bareServer.ts', listener: 'benchHost.ts', express: 'expressServer.mjs' } as const;

export interface BenchServer {
  port: number;
  /** Waits until nothing is left to do for the requests that it has answered: so many in all. */
  settle: (answered: number) => Promise<void>;
  memory: () => Promise<BenchCalls['memory']['gives']>;
  end: () => void;
}

/** Starts a server of the benchmark in a process of its own. */
export async function startServer(kind: keyof typeof programs, ...options: string[]): Promise<BenchServer> {
  const file = fileURLToPath(new URL(programs[kind], import.meta.url));
  const child = fork(file, options, {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
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
      end: () => child.kill('SIGKILL'),
    };
  }
  throw new Error(`The server "${kind}" ended before it listened.`);
}
