import type {
  AppAnswer,
  UnkeptRequest,
  Hello,
  ListenerSettings,
  ProgramCalls,
  OpenedRelay,
  RelayAccess,
  TunnelProgram,
  Welcome,
} from '../../deliveries/listenerProtocol.ts';
import type { NetworkOptions } from '../../service/client/undiciTransport.ts';
import type { Handlers } from '../../shared/rpc/rpc.ts';
import type { KeptAnswer } from '../../deliveries/keptDelivery.ts';
import { type Sending, sendTest } from '../../deliveries/replay.ts';
import { textOf } from '../../deliveries/sendRequest.ts';
import { Replays, type WaitingReplay } from '../forwarding/replays.ts';
import type { WindowConnection } from './control.ts';
import type { Delivery, FailedAt, FailurePlace } from '../../contract/delivery.ts';
import { SecretMask } from '../../shared/masking/secretMask.ts';
import type { DeliveryStore } from '../store/deliveryStore.ts';
import type { WebhookListener } from '../intake/listener.ts';
import { deliverHere } from './deliverHere.ts';
import { DeliveryFeed } from './deliveryFeed.ts';
import type { RunJoin } from './runJoin.ts';

/** What a window may ask of the program. */
export interface ProgramForWindow {
  readonly store: DeliveryStore;
  readonly listener: WebhookListener;
  readonly joins: RunJoin;
  openTunnel(program: TunnelProgram, command: string): Promise<string>;
  openRelay(by: RelayAccess & { network: NetworkOptions; keepsTrying: boolean }): Promise<OpenedRelay>;
  closeTunnel(): Promise<void>;
  /** How long a probe of the public address takes to arrive after it was answered, at most, in milliseconds. */
  readonly probeMs: number;
  /** The settings in force, with the secrets of all windows. */
  readonly settings: ListenerSettings;
  /** How many deliveries have arrived since it started. */
  readonly total: number;
  /** The last requests that broke off since it started. */
  readonly unkept: readonly UnkeptRequest[];
  /** The port it listens on; undefined when it does not listen. */
  readonly port: number | undefined;
  /** See `ReplaysOptions`. */
  readonly waiting: Set<WaitingReplay>;
  configure(window: ProgramWindow, settings: ListenerSettings): void;
  listen(port: number): Promise<number>;
  came(window: ProgramWindow, hello: Hello): Welcome;
  left(window: ProgramWindow): void;
  /** A delivery, and what of it holds at this moment alone. */
  asToldNow(delivery: Delivery): Delivery;
  clear(): void;
  stop(): Promise<void>;
  erase(): Promise<void>;
  handOver(): Promise<{ port?: number }>;
}

/** One attached window: answers its calls, and sends it the changes. */
export class ProgramWindow {
  readonly #program: ProgramForWindow;
  readonly connection: WindowConnection;
  readonly #replays: Replays;
  /** What it sends at this moment, by the window's id of it. */
  readonly #underWay = new Map<string, AbortController>();
  /** The number of the latest search of this window; a new search cancels earlier ones. */
  #search = 0;
  /** Undefined before the window has sent `hello`. */
  feed: DeliveryFeed | undefined;

  constructor(program: ProgramForWindow, connection: WindowConnection) {
    this.#program = program;
    this.connection = connection;
    this.#replays = new Replays(program);
  }

  handlers(): Handlers<ProgramCalls> {
    const program = this.#program;
    const { store, listener } = program;
    const { reasons } = listener;
    return {
      hello: (hello) => this.#welcome(hello),
      handOver: async ({ key }) => {
        await this.connection.mayAsk(key);
        return program.handOver();
      },
      ping: () => undefined,
      configure: (settings) => program.configure(this, settings),
      listen: async ({ port }) => ({ port: await program.listen(port) }),
      stop: () => program.stop(),
      erase: () => program.erase(),
      openTunnel: async ({ program: name, command }) => ({
        publicUrl: await program.openTunnel(name, command),
      }),
      openRelay: (by) => program.openRelay(by),
      closeTunnel: () => program.closeTunnel(),
      list: async ({ limit = Number.POSITIVE_INFINITY }) => {
        await reasons.findNewest(limit);
        return store.newest(limit);
      },
      find: async ({ filter, limit }) => {
        const search = (this.#search += 1);
        reasons.findSome();
        const found = await store.search(filter, limit, () => search !== this.#search);
        reasons.listed(found.deliveries);
        const deliveries = found.deliveries.map((one) => program.asToldNow(one));
        return { ...found, deliveries, unkept: [...program.unkept] };
      },
      page: ({ filter, limit, before }) => {
        reasons.findSome();
        const page = store.page(filter, limit, before);
        reasons.listed(page.deliveries);
        return { ...page, deliveries: page.deliveries.map((one) => program.asToldNow(one)) };
      },
      get: ({ id }) => program.asToldNow(reasons.looked(store.get(id))),
      whole: ({ id }) => reasons.looked(store.whole(id)),
      clear: () => program.clear(),
      replay: ({ sending, ...what }) =>
        this.#untilStopped(sending, (stopped) => this.#replays.send(what, stopped)),
      failed: () => store.failed(),
      answer: ({ id, at }) => appAnswer(store.answer(id, Date.parse(at))),
      stopSending: ({ sending }) => this.#underWay.get(sending)?.abort(),
      sendTest: ({ to, body, secret }) => sendTest(to, body, secret, crypto.randomUUID(), this.#sending()),
      deliverHere: ({ sending, ...run }) =>
        this.#untilStopped(sending, (stopped) => deliverHere(program, run, stopped)),
      setNextResponses: (next) => listener.setNextResponses(next),
      noteRun: (run) => program.joins.noteRun(run, this).map((one) => program.asToldNow(one)),
      noteReason: ({ id, reason }) => store.note({ id, reason }),
      noteFailure: ({ id, at, failedAt }) =>
        store.note({ id, failure: { at, failedAt: this.#masked(failedAt) } }),
      expectProbe: ({ nonce }) => listener.probes.expect(nonce),
      collectProbe: async ({ nonce, isSent }) => {
        if (isSent) await listener.probes.arrival(nonce, program.probeMs);
        return listener.probes.collect(nonce) ?? null;
      },
    };
  }

  /** Sends something that the window can have stopped, and that is stopped when it leaves. */
  async #untilStopped<T>(sending: string, send: (stopped: AbortSignal) => Promise<T>): Promise<T> {
    const stopped = new AbortController();
    this.#underWay.set(sending, stopped);
    try {
      return await send(stopped.signal);
    } finally {
      this.#underWay.delete(sending);
    }
  }

  /** What a handler says of its failure, without the secrets that are held. */
  #masked({ oneOf, ...last }: FailedAt): FailedAt {
    const mask = new SecretMask(this.#program.settings.secrets.map(({ secret }) => secret));
    const masked = <T extends FailurePlace>(one: T): T => ({ ...one, message: mask.start(one.message) });
    return { ...masked(last), ...(oneOf && { oneOf: oneOf.map(masked) }) };
  }

  #sending(): Sending {
    const { acceptLocalCertificates = false } = this.#program.settings;
    return { now: Date.now, acceptLocalCertificates };
  }

  async #welcome(hello: Hello): Promise<Welcome> {
    await this.connection.mayAsk(hello.key);
    if (this.feed !== undefined) throw new Error('This window has presented itself already.');
    const welcome = this.#program.came(this, hello);
    const { store, listener } = this.#program;
    const peer = this.connection.peer();
    this.feed = new DeliveryFeed({
      store,
      asToldNow: (delivery) => this.#program.asToldNow(delivery),
      explain: () => listener.reasons.findSome(),
      after: hello.after ?? store.revision,
      send: (news) => peer.call.news({ ...news, total: this.#program.total }),
    });
    this.feed.changed();
    // What it shows of before is not kept any more. It may leave before it hears that.
    if (hello.after !== undefined && store.wasCleared(hello.after))
      peer.call.cleared().catch(() => undefined);
    void peer.closed.then(() => {
      this.feed?.close();
      this.#search += 1;
      for (const stopped of this.#underWay.values()) stopped.abort();
      this.#program.left(this);
    });
    return welcome;
  }
}

function appAnswer(kept: KeptAnswer | undefined): AppAnswer | null {
  if (kept === undefined) return null;
  const { body, ...answer } = kept;
  const text = textOf(body, answer.rawHeaders);
  const isText = text !== '' || body.length === 0;
  return isText
    ? { ...answer, body: text }
    : { ...answer, body: Buffer.from(body).toString('base64'), bodyEncoding: 'base64' };
}
