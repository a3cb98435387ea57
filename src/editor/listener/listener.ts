import * as vscode from 'vscode';
import type { Delivery, WholeDelivery } from '../../contract/delivery.ts';
import { DeliveriesToLookAt } from '../../deliveries/toLookAt.ts';
import type { DeliveryFilter } from '../../deliveries/deliveryFilter.ts';
import { failureText } from '../../shared/http/failureReason.ts';
import type { RelayLosses } from '../../deliveries/relayProtocol.ts';
import type {
  Arrivals,
  News,
  NextResponses,
  NotedRun,
  DeliveryPage,
  ProgramState,
  Welcome,
} from '../../deliveries/listenerProtocol.ts';
import { t } from '../../shared/text/l10n.ts';
import type { HeldSecret } from '../../service/signature/webhookSecret.ts';
import { isGesture } from '../kit/commands.ts';
import { config } from '../kit/config.ts';
import { Turns } from '../../shared/async/turns.ts';
import { anyPort, reloadWaitsMs, retryPort, retryWaitsMs } from '../kit/retryPort.ts';
import type { Log } from '../kit/log.ts';
import { DeliverySender } from './deliverySender.ts';
import type { Destinations } from './destinations.ts';
import { ListenerTunnel } from './program/listenerTunnel.ts';
import {
  type ListenerState,
  type Listening,
  type ListeningState,
  listeningState,
  reachableEndpoint,
  type RunningProgram,
  whereItListens,
} from '../../deliveries/listenerState.ts';
import { ProgramHost, type ProgramPlace } from './program/programHost.ts';
import { readSettings } from './program/readSettings.ts';
import { RememberedPort } from './program/rememberedPort.ts';
import type { WebhookSecrets } from './secrets/webhookSecrets.ts';

/** The workspace state key of the store revision up to which this window was told of deliveries. */
const toldKey = 'listener.told';

/** How many runs of this window are noted in a program that starts anew. */
const mostNoted = 100;

/** What a listener needs. */
interface ListenerOptions extends ProgramPlace {
  /** Remembers the port, and up to where this window was told of deliveries, across reloads. */
  memento: vscode.Memento;
  secrets: WebhookSecrets;
  destinations: Destinations;
  /** Passes on what arrived. The program keeps it until this resolves. */
  passOn: (arrived: readonly Delivery[]) => Promise<void>;
  log: Log;
}

/** The listener as the editor sees it: its program, its state, its deliveries. */
export class Listener implements vscode.Disposable {
  readonly #options: ListenerOptions;
  readonly #events = new ListenerEvents();
  readonly onDidChangeState = this.#events.state.event;
  /** A person has started it: by a click, a menu or the palette. */
  readonly onDidStartByGesture = this.#events.startedByGesture.event;
  readonly onDidReceiveDelivery = this.#events.received.event;
  readonly onDidChangeDelivery = this.#events.changed.event;
  /** News from the program: deliveries, in batches under load, and requests that it turned away. */
  readonly onDidReceiveNews = this.#events.news.event;
  /** Kept deliveries may have been removed, other than by newer ones replacing them. */
  readonly onDidForget = this.#events.forgot.event;
  /** All of them were removed. */
  readonly onDidClear = this.#events.cleared.event;
  /** This window has attached to the program, and can ask it for kept deliveries. */
  readonly onDidAttach = this.#events.attached.event;
  /** Fires with the number of deliveries that arrived while no window was open. */
  readonly onDidMiss = this.#events.missed.event;
  /** Fires with what the relay has lost while nobody read it. */
  readonly onDidLoseAtRelay = this.#events.relayLost.event;
  /** Replays kept deliveries and sends test deliveries. */
  readonly sender: DeliverySender;
  /** The deliveries that need a look. */
  readonly looks = new DeliveriesToLookAt(Date.now(), () => this.#events.looks.fire());
  /** Fires when the number of deliveries that need a look has changed. */
  readonly onDidChangeLooks = this.#events.looks.event;
  readonly destinations: Destinations;
  readonly tunnel: ListenerTunnel;
  #state: ListenerState = { kind: 'stopped' };
  #problem: string | undefined;
  #programPort: number | undefined;
  #handedOverPort: number | undefined;
  /** Whether the program has announced that it ends because it was asked to stop. */
  #wasStopped = false;
  readonly #host: ProgramHost;
  readonly #port: RememberedPort;
  readonly #mayRestart = restartRule(() => performance.now());
  /** How many deliveries have arrived since the listener started. */
  total = 0;
  /** The program that this window is attached to. */
  program: RunningProgram | undefined;
  readonly #turns = new Turns();
  /** The last runs of this window, by Runhook's own id: a program that starts anew does not know them. */
  readonly #noted = new Map<string, NotedRun>();
  /** The newest matches and their number. A new search ends one in flight, which returns what it has found so far. */
  readonly find = (filter: DeliveryFilter, limit: number) =>
    this.#host.ask((program) => program.find({ filter, limit }));

  constructor(options: ListenerOptions) {
    const { secrets, destinations, memento, log } = options;
    this.#options = options;
    this.destinations = destinations;
    this.#port = new RememberedPort(memento);
    const host = (this.#host = this.#newHost());
    this.tunnel = new ListenerTunnel(host, secrets);
    this.tunnel.onDidChangeState(() => this.refreshPublicUrl());
    const ownAddress = async () => (await this.start()).url;
    this.sender = new DeliverySender({
      ...{ host, secrets, destinations, ownAddress, log },
      toleranceSeconds: config.timestampToleranceSeconds,
    });
  }

  /** Whether this window is attached to the program: asking it does not start it then. */
  get isAttached(): boolean {
    return this.#host.isRunning;
  }

  get state(): ListenerState {
    return this.#state;
  }

  /**
   * Starts listening. Does nothing if it already listens on that port.
   * @throws PortTakenError if another program has the port
   */
  start(options: { port?: number } = {}): Promise<Listening> {
    const byGesture = isGesture();
    return this.#turns.next(async () => {
      const before = this.#state.kind;
      const listening = await this.#start(options.port);
      if (byGesture && before !== 'listening') this.#events.startedByGesture.fire();
      return listening;
    });
  }

  /** Listens again on the port from before the reload. If there was none, joins another window's listener. */
  async resume(): Promise<void> {
    const port = this.#port.inUse;
    await (port === undefined ? this.join() : this.#turns.next(() => this.#start(port, true)));
  }

  /** Attaches to another window's listener, if one runs, and shows its deliveries. */
  join(): Promise<void> {
    return this.#host.join();
  }

  /** Stops the listener for all windows. */
  stop(): Promise<void> {
    return this.#stop(() => this.#host.stop());
  }

  /** The same, and removes all deliveries. */
  erase(): Promise<void> {
    this.#noted.clear();
    return this.#stop(() => this.#host.erase());
  }

  /**
   * The webhook address for a run of an app, given the host of its proxy. Starts the listener if needed.
   * @throws UserError if the service cannot reach the listener
   */
  async webhookEndpoint(proxyHost: string, appName: string): Promise<string> {
    return reachableEndpoint(proxyHost, appName, await this.start());
  }

  /** Rereads the public address: that of an open tunnel, else the one in the settings. */
  refreshPublicUrl(): void {
    if (this.#state.kind === 'listening') this.#setState(this.#listening(this.#state.port));
  }

  /** The newest deliveries, newest first. Without bodies they are a {@link page}. */
  list(limit?: number): Promise<WholeDelivery[]> {
    return this.#host.ask((program) => program.list({ limit }));
  }

  /** The newest matches. With `before`, only those that arrived before the delivery with that id. */
  page(filter: DeliveryFilter, limit: number, before?: string): Promise<DeliveryPage> {
    return this.#host.ask((program) => program.page({ filter, limit, before }));
  }

  get(id: string): Promise<Delivery> {
    return this.#host.ask((program) => program.get({ id }));
  }

  /** The same with its body. */
  whole(id: string): Promise<WholeDelivery> {
    return this.#host.ask((program) => program.whole({ id }));
  }

  /** The program tells all windows of it, this one too. */
  clear(): Promise<void> {
    return this.#host.ask((program) => program.clear());
  }

  async setNextResponses(next: NextResponses): Promise<void> {
    await this.#host.ask((program) => program.setNextResponses(next));
  }

  /** Shows that the listener no longer accepts connections. The next start listens again. */
  markUnreachable(): void {
    this.#setState({ kind: 'failed', reason: t('The listener no longer accepts connections.') });
  }

  async secrets(): Promise<HeldSecret[]> {
    return (await this.#options.secrets.store()).held();
  }

  /**
   * Links a run to its deliveries. If no program is there, it is noted in one that this window attaches to later.
   * @returns the deliveries that name the run and have arrived before, the oldest first
   */
  async noteRun(run: NotedRun): Promise<Delivery[]> {
    this.#noted.set(run.id, { ...this.#noted.get(run.id), ...run });
    const [oldest] = this.#noted.keys();
    if (this.#noted.size > mostNoted && oldest !== undefined) this.#noted.delete(oldest);
    if (!this.isAttached) return [];
    const asked = this.#host.ask((program) => program.noteRun(run));
    return asked.catch((error: unknown) => {
      this.#options.log.error(`Noting a run failed: ${String(error)}`);
      return [];
    });
  }

  /** Sends settings and secrets to the program, if this window is attached to one. */
  configure(): Promise<void> {
    return this.#host.configure();
  }

  /** Like `configure`, after `runhook.deliveries.keep` has changed: fewer deliveries may be kept now. */
  async configureKeep(): Promise<void> {
    await this.configure();
    this.#events.forgot.fire();
  }

  dispose(): void {
    this.#inBackground('Leaving the listener', this.#host.close());
    this.destinations.dispose();
    this.tunnel.dispose();
    this.#events.dispose();
  }

  #stop(end: () => Promise<void>): Promise<void> {
    return this.#turns.next(async () => {
      await this.#port.stopped();
      await end();
      this.#setState({ kind: 'stopped' });
    });
  }

  async #start(wanted: number | undefined, isResuming = false, reason?: string): Promise<Listening> {
    const state = this.#state;
    const isListening = this.#host.isRunning && state.kind === 'listening';
    if (isListening && [undefined, 0, state.port].includes(wanted)) return whereItListens(state);
    this.#setState({ kind: 'starting', ...(reason !== undefined && { reason }) });
    try {
      await this.#host.start();
      // Where another window has moved it meanwhile, it stays.
      const port =
        (isResuming ? this.#programPort : undefined) ??
        (await this.#listenOn(wanted, isResuming ? reloadWaitsMs : retryWaitsMs));
      this.#setState(this.#listening(port));
      await this.#port.listening(port);
      return whereItListens(this.#listening(port));
    } catch (error) {
      // If it cannot move to another port, it keeps listening on the current one.
      if (this.#programPort !== undefined) this.#setState(this.#listening(this.#programPort));
      else this.#setState({ kind: 'failed', reason: failureText(error) });
      throw error;
    }
  }

  /** @param wanted undefined for the port in the settings; if that is 0, the previous port is preferred */
  async #listenOn(wanted: number | undefined, waitsMs: readonly number[]): Promise<number> {
    const listen = (on: number) => this.#host.ask((program) => program.listen({ port: on }));
    const chosen = wanted ?? config.listenerPort();
    const preferred = wanted ?? this.#programPort ?? this.#handedOverPort ?? this.#port.last;
    const { port } = await (chosen === 0 ? anyPort(preferred, listen) : retryPort(chosen, waitsMs, listen));
    return port;
  }

  #listening(port: number): ListeningState {
    return listeningState(port, this.#problem, this.tunnel);
  }

  #newHost(): ProgramHost {
    return new ProgramHost({
      ...this.#options,
      after: () => this.#options.memento.get(toldKey),
      readSettings: () => readSettings(this.#options.secrets, this.destinations, this.tunnel),
      handlers: {
        news: (news) => this.#tell(news),
        state: (state) => this.#applyProgramState(state),
        tunnel: (state) => this.tunnel.told(state),
        relayLost: (losses) => this.#events.relayLost.fire(losses),
        cleared: () => this.#cleared(),
        ending: ({ why }) => {
          this.#wasStopped = why === 'stopped';
        },
      },
      onAttached: (welcome, handedOver) => this.#attached(welcome, handedOver),
      onEnded: () => this.#ended(),
    });
  }

  /** The program is to be told once all is passed on. */
  async #tell({ total, ...news }: News & Arrivals): Promise<void> {
    this.total = total;
    // If this fails, the program tells the same news again after a reload.
    this.#options.memento.update(toldKey, news.revision).then(undefined, () => undefined);
    this.looks.take(news);
    this.#events.tell(news);
    await this.#options.passOn(news.arrived);
  }

  #cleared(): void {
    this.looks.clear();
    this.#events.forgot.fire();
    this.#events.cleared.fire();
  }

  #attached(welcome: Welcome, handedOver: number | undefined): void {
    const { missed, pid, startedAt, total, revision } = welcome;
    this.total = total;
    const { memento } = this.#options;
    // What comes next may come during a reload.
    if (memento.get(toldKey) === undefined)
      memento.update(toldKey, revision).then(undefined, () => undefined);
    this.#wasStopped = false;
    this.program = { pid, staysSeconds: config.keepAliveSeconds() };
    this.#options.log.info(
      `The listener program is process ${pid}, since ${new Date(startedAt).toISOString()}.`,
    );
    if (missed > 0) this.#events.missed.fire(missed);
    this.tunnel.told(welcome.tunnel); // guard S78: A window that came later warns of the tunnel too.
    this.#applyProgramState(welcome);
    this.#handedOverPort = handedOver;
    for (const run of this.#noted.values()) {
      this.#inBackground(
        'Noting a run',
        this.#host.ask((program) => program.noteRun(run)),
      );
    }
    this.#events.attached.fire();
  }

  /** Shows and remembers the program's state: another window may have started or moved it. */
  #applyProgramState({ port, problem }: ProgramState): void {
    this.#programPort = port;
    if (port !== undefined) this.#inBackground('Remembering the port', this.#port.listening(port));
    if (problem !== undefined && problem !== this.#problem) {
      this.#options.log.error(`Deliveries cannot be kept: ${problem}`);
    }
    this.#problem = problem;
    if (port !== undefined && this.#state.kind !== 'starting') this.#setState(this.#listening(port));
  }

  #ended(): void {
    this.#programPort = undefined;
    this.#handedOverPort = undefined;
    this.tunnel.told({ kind: 'closed' });
    const state = this.#state;
    if (this.#wasStopped || state.kind === 'stopped') {
      this.#inBackground('Remembering the stop', this.#port.stopped());
      this.#setState({ kind: 'stopped' });
      return;
    }
    const reason = t('The listener stopped unexpectedly.');
    this.#options.log.error(reason);
    if (state.kind !== 'listening' || !this.#mayRestart()) {
      this.#setState({ kind: 'failed', reason });
      return;
    }
    const start = () => this.#start(state.port, true, t('{0} It is being restarted.', reason));
    this.#inBackground('Starting the listener again', this.#turns.next(start));
  }

  #setState(state: ListenerState): void {
    this.#state = state;
    this.#events.state.fire(state);
  }

  #inBackground(what: string, done: Promise<unknown>): void {
    done.catch((error: unknown) => this.#options.log.error(`${what} failed: ${String(error)}`));
  }
}

/** The events that the listener fires in the editor. */
class ListenerEvents {
  readonly state = new vscode.EventEmitter<ListenerState>();
  readonly startedByGesture = new vscode.EventEmitter<void>();
  readonly news = new vscode.EventEmitter<News>();
  readonly relayLost = new vscode.EventEmitter<RelayLosses>();
  readonly received = new vscode.EventEmitter<Delivery>();
  readonly changed = new vscode.EventEmitter<Delivery>();
  readonly looks = new vscode.EventEmitter<void>();
  readonly forgot = new vscode.EventEmitter<void>();
  readonly cleared = new vscode.EventEmitter<void>();
  readonly attached = new vscode.EventEmitter<void>();
  readonly missed = new vscode.EventEmitter<number>();

  /** Passes on news from the program. */
  tell(news: News): void {
    this.news.fire(news);
    for (const delivery of news.arrived) this.received.fire(delivery);
    for (const delivery of news.changed) this.changed.fire(delivery);
  }

  dispose(): void {
    for (const emitter of Object.values(this) as vscode.EventEmitter<unknown>[]) emitter.dispose();
  }
}

/** How often a program that dies is restarted, and within what time, in milliseconds. */
const maxStarts = 5;
const withinMs = 60_000;

/**
 * Returns a function that says whether to restart a program that died, and if so counts the restart. The limit is
 * for programs that die at once, which would keep the machine busy.
 * @param now a monotonic clock in milliseconds
 */
function restartRule(now: () => number): () => boolean {
  let starts: number[] = [];
  return () => {
    starts = starts.filter((at) => now() - at < withinMs);
    if (starts.length >= maxStarts) return false;
    starts.push(now());
    return true;
  };
}
