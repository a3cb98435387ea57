import type { Handlers } from '../../model/processes/channel.ts';
import type {
  Hello,
  ListenerSettings,
  ProgramCalls,
  Welcome,
} from '../../model/processes/listenerProtocol.ts';
import { replay, resigningSecret, sendTest } from '../../webhooks/deliveries/replay.ts';
import type { WindowPeer } from './control.ts';
import type { DeliveryStore } from '../store/deliveryStore.ts';
import type { WebhookListener } from '../intake/listener.ts';
import type { ProgramTunnel } from './programTunnel.ts';
import { WindowFeed } from './windowFeed.ts';

/** What a window may do to the program. */
export interface ProgramForWindow {
  store: DeliveryStore;
  listener: WebhookListener;
  tunnel: ProgramTunnel;
  /** What the program goes by now, with the secrets of all windows. */
  settings: () => ListenerSettings;
  configure: (window: ProgramWindow, settings: ListenerSettings) => void;
  listen: (port: number) => Promise<number>;
  came: (window: ProgramWindow, hello: Hello) => Welcome;
  left: (window: ProgramWindow) => void;
  cleared: () => void;
  stop: () => Promise<void>;
  handOver: () => Promise<{ port?: number }>;
  /** A clock in Unix milliseconds. */
  now: () => number;
}

/** One window that is attached: what it asks is answered, and what happens is told to it. */
export class ProgramWindow {
  readonly #program: ProgramForWindow;
  readonly #getPeer: () => WindowPeer;
  readonly #mayAsk: (key: string) => void;
  readonly #replays = { current: new AbortController() };
  #feed: WindowFeed | undefined;

  constructor(
    program: ProgramForWindow,
    { peer, mayAsk }: { peer: () => WindowPeer; mayAsk: (key: string) => void },
  ) {
    this.#program = program;
    this.#getPeer = peer;
    this.#mayAsk = mayAsk;
  }

  get peer(): WindowPeer {
    return this.#getPeer();
  }

  get feed(): WindowFeed | undefined {
    return this.#feed;
  }

  handlers(): Handlers<ProgramCalls> {
    const { store, listener, tunnel, now } = this.#program;
    const sending = { now };
    return {
      hello: (hello) => this.#welcome(hello),
      handOver: ({ key }) => {
        this.#mayAsk(key);
        return this.#program.handOver();
      },
      configure: (settings) => {
        this.#program.configure(this, settings);
        return null;
      },
      listen: async ({ port }) => ({ port: await this.#program.listen(port) }),
      stop: async () => {
        await this.#program.stop();
        return null;
      },
      openTunnel: async ({ program, command }) => ({ publicUrl: await tunnel.open(program, command) }),
      closeTunnel: async () => {
        await tunnel.close();
        return null;
      },
      list: async ({ limit = Number.POSITIVE_INFINITY }) => {
        const deliveries = [];
        if (limit <= 0) return [];
        for await (const delivery of store.newestFirst()) {
          deliveries.push(delivery);
          if (deliveries.length >= limit) break;
        }
        return deliveries;
      },
      page: ({ filter, limit }) => store.page(filter, limit),
      get: ({ id }) => store.get(id),
      clear: () => {
        store.clear();
        this.#program.cleared();
        return null;
      },
      replay: ({ id, to, resign }) => {
        const kept = store.kept(id);
        const secret = resign ? resigningSecret(kept, this.#program.settings().secrets) : undefined;
        return replay(kept, to, secret, { ...sending, signal: this.#replays.current.signal });
      },
      stopReplays: () => {
        this.#stopReplays();
        return null;
      },
      sendTest: ({ to, body, secret }) => sendTest(to, body, secret, crypto.randomUUID(), sending),
      setNextResponses: (next) => {
        listener.setNextResponses(next);
        return null;
      },
      noteRun: (run) => {
        store.noteRun(run);
        return null;
      },
      noteApp: ({ id, appName }) => {
        store.note({ id, appName });
        return null;
      },
      expectProbe: ({ nonce }) => {
        listener.probes.expect(nonce);
        return null;
      },
      collectProbe: ({ nonce }) => listener.probes.collect(nonce) ?? null,
    };
  }

  #welcome(hello: Hello): Welcome {
    this.#mayAsk(hello.key);
    if (this.#feed !== undefined) throw new Error('This window has presented itself already.');
    const welcome = this.#program.came(this, hello);
    const { store, listener } = this.#program;
    this.#feed = new WindowFeed({
      store,
      isHandingOn: (id) => listener.isHandingOn(id),
      after: hello.after ?? store.revision,
      send: (news) => this.peer.request('news', news),
    });
    this.#feed.changed();
    void this.peer.closed.then(() => {
      this.#feed?.close();
      this.#stopReplays();
      this.#program.left(this);
    });
    return welcome;
  }

  #stopReplays(): void {
    this.#replays.current.abort();
    this.#replays.current = new AbortController();
  }
}
