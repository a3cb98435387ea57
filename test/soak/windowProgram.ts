// A fake window for the soak: attaches to the listener program of a folder as the extension does, and again whenever the
// program exits. The soak controls it over IPC. An unhandled rejection ends this process, and so the soak notices it.
import { setTimeout as pause } from 'node:timers/promises';
import { attachProgram, type ProgramPeer } from '../../src/listener/attach/attachProgram.ts';
import type { ListenerSettings, NextResponses } from '../../src/deliveries/listenerProtocol.ts';
import { connectRpc } from '../../src/shared/rpc/rpc.ts';
import { ConnectionEndedError } from '../../src/shared/rpc/socketRpc.ts';
import { defaultSecret } from '../support/listener/defaultSecret.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { blockThread } from '../support/processes/blockThread.ts';

export interface WindowOptions {
  /** The command line, which starts the program. */
  entry: string;
  version: string;
  /** Whether to replace a program of another version. */
  replaces: boolean;
  /** The storage folder. */
  folder: string;
  port: number;
  secret: string;
  forwardTo: string;
}

/** What a window knows about its program. */
export interface WindowState {
  pid: number;
  port: number;
  /** Why deliveries cannot be kept, if they cannot. */
  problem: string | undefined;
}

export interface SoakCalls {
  /** Attaches and starts to listen. */
  start(given: WindowOptions): WindowState;
  /** Blocks the process. */
  block(given: { ms: number }): void;
  setNextResponses(next: NextResponses): void;
  clear(): void;
  /** Stops the program. The windows start another one. */
  stop(): void;
  /** Detaches from the program, which keeps running for this time. */
  leave(given: { keepAliveSeconds: number }): void;
}

export interface SoakNews {
  state(state: WindowState): void;
}

const keepAliveSeconds = 30;
/** A busy machine may need more than one try of 15 seconds. */
const attachTimeoutMs = 60_000;

// Exits with its parent.
process.on('disconnect', () => process.exit());

let options: WindowOptions;
let state: WindowState = { pid: 0, port: 0, problem: undefined };
let attached: Promise<ProgramPeer>;
let after: number | undefined;
let isLeaving = false;

const { call: soak } = connectRpc<SoakNews, SoakCalls>(
  { post: (message) => process.send?.(message), onMessage: (listener) => process.on('message', listener) },
  {
    start: async (given) => {
      options = given;
      attached = attachWithRetry(given.replaces);
      await attached;
      return state;
    },
    block: ({ ms }) => blockThread(ms),
    setNextResponses: (next) => requestFromProgram((peer) => peer.call.setNextResponses(next)),
    clear: () => requestFromProgram((peer) => peer.call.clear()),
    stop: async () => (await attached).call.stop(),
    leave: async ({ keepAliveSeconds: seconds }) => {
      await requestFromProgram((peer) => peer.call.configure({ ...settings(), keepAliveSeconds: seconds }));
      isLeaving = true;
      (await attached).close();
    },
  },
);

/** Sends a request to the program. If the program exits in the meantime, asks the next one. */
async function requestFromProgram<T>(request: (peer: ProgramPeer) => Promise<T>): Promise<T> {
  for (;;) {
    const asked = attached;
    try {
      return await request(await asked);
    } catch (error) {
      if (!(error instanceof ConnectionEndedError)) throw error;
      await waitFor('the next program', () => attached !== asked);
    }
  }
}

function settings(): ListenerSettings {
  return {
    secrets: [defaultSecret(options.secret)],
    toleranceSeconds: 300,
    acceptUnverified: false,
    isPublic: false,
    maxBodyBytes: 1 << 20,
    forwardTo: options.forwardTo,
    forwardMode: 'afterAck',
    keep: 1_000_000,
    keepAliveSeconds,
  };
}

/** Attaches and starts to listen. Retries until it works. */
async function attachWithRetry(replaces: boolean): Promise<ProgramPeer> {
  const until = performance.now() + attachTimeoutMs;
  for (;;) {
    try {
      return await attach(replaces);
    } catch (error) {
      if (performance.now() > until) throw error;
      await pause(25);
    }
  }
}

async function attach(replaces: boolean): Promise<ProgramPeer> {
  const { entry, version, folder } = options;
  const { peer, welcome } = await attachProgram({
    entry,
    folder,
    version,
    replaces,
    hello: () =>
      Promise.resolve({ settings: settings(), messages: {}, ...(after !== undefined && { after }) }),
    handlers: {
      news: ({ revision }) => {
        after = revision;
      },
      state: async ({ problem }) => {
        if (problem === state.problem) return;
        state = { ...state, problem };
        await soak.state(state);
      },
      tunnel: () => undefined,
      relayLost: () => undefined,
      cleared: () => undefined,
      ending: () => undefined,
    },
  });
  try {
    const { port } = await peer.call.listen({ port: options.port });
    state = { pid: welcome.pid, port, problem: welcome.problem };
  } catch (error) {
    peer.close();
    throw error;
  }
  void soak.state(state);
  void peer.closed.then(() => {
    if (!isLeaving) attached = attachWithRetry(false);
  });
  return peer;
}
