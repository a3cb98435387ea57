// The stand-in of a window in the soak: attaches to the listener program of a folder as the extension does, again
// whenever that ends, and does what the soak asks over the channel of the process. A rejection that nobody handles
// ends it, as Node does by itself.
import { setTimeout as pause } from 'node:timers/promises';
import { attachProgram, type ProgramPeer } from '../../src/client/program/attachProgram.ts';
import { Channel } from '../../src/model/processes/channel.ts';
import type { ListenerSettings, NextResponses } from '../../src/model/processes/listenerProtocol.ts';
import { ConnectionEndedError } from '../../src/model/processes/peer.ts';
import { defaultSecret } from '../support/defaultSecret.ts';
import { waitFor } from '../support/waitFor.ts';
import { standStill } from '../support/standStill.ts';

export interface WindowOptions {
  /** The command line that starts a program. */
  entry: string;
  version: string;
  /** Whether a program of another version has to make room. */
  replaces: boolean;
  /** The storage folder. */
  folder: string;
  port: number;
  secret: string;
  forwardTo: string;
}

/** What a window knows of its program. */
export interface WindowState {
  pid: number;
  port: number;
  /** Why nothing can be kept, if so. */
  problem: string | undefined;
}

export type SoakCalls = {
  /** Resolves when it is attached and the program listens. */
  start: { takes: WindowOptions; gives: WindowState };
  /** Does nothing else for that long. */
  block: { takes: { ms: number }; gives: null };
  setNextResponses: { takes: NextResponses; gives: null };
  clear: { takes: null; gives: null };
  /** Ends the program; this window has the next one started, as the others have. */
  stop: { takes: null; gives: null };
  /** Leaves the program, which goes on without a window for so long. */
  leave: { takes: { keepAliveSeconds: number }; gives: null };
};

const keepAliveSeconds = 30;
/** How long it may take to be attached, in milliseconds: a busy machine may need more than one try of 15 seconds. */
const patienceMs = 60_000;

// It ends with who started it, however that ends.
process.on('disconnect', () => process.exit());

let options: WindowOptions;
let state: WindowState = { pid: 0, port: 0, problem: undefined };
let attached: Promise<ProgramPeer>;
let after: number | undefined;
let isLeaving = false;

const soak = new Channel<{ state: { takes: WindowState; gives: null } }, SoakCalls>(
  { postMessage: (message) => process.send?.(message), on: (event, listener) => process.on(event, listener) },
  {
    start: async (given) => {
      options = given;
      attached = stay(given.replaces);
      await attached;
      return state;
    },
    block: ({ ms }) => {
      standStill(ms);
      return null;
    },
    setNextResponses: (next) => ask((peer) => peer.request('setNextResponses', next)),
    clear: () => ask((peer) => peer.request('clear', null)),
    stop: async () => (await attached).request('stop', null),
    leave: async ({ keepAliveSeconds: seconds }) => {
      await ask((peer) => peer.request('configure', { ...settings(), keepAliveSeconds: seconds }));
      isLeaving = true;
      (await attached).close();
      return null;
    },
  },
);

/** Asks the program; the next one where that one ends meanwhile. */
async function ask<T>(request: (peer: ProgramPeer) => Promise<T>): Promise<T> {
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

/** Is attached from here on, and has the program listen; tried again until that works. */
async function stay(replaces: boolean): Promise<ProgramPeer> {
  const until = performance.now() + patienceMs;
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
        return null;
      },
      state: async ({ problem }) => {
        if (problem === state.problem) return null;
        state = { ...state, problem };
        await soak.request('state', state);
        return null;
      },
      tunnel: () => null,
      cleared: () => null,
      ending: () => null,
    },
  });
  try {
    const { port } = await peer.request('listen', { port: options.port });
    state = { pid: welcome.pid, port, problem: welcome.problem };
  } catch (error) {
    peer.close();
    throw error;
  }
  void soak.request('state', state);
  void peer.closed.then(() => {
    if (!isLeaving) attached = stay(false);
  });
  return peer;
}
