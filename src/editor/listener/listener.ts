import * as vscode from 'vscode';
import type { Delivery } from '../../model/delivery.ts';
import type { DeliveryFilter } from '../../model/deliveryFilter.ts';
import { failureText } from '../../model/failureReason.ts';
import type { DeliveryPage, NextResponses, NotedRun, ReceivedProbe } from '../../model/listenerProtocol.ts';
import { endpointFor, type ListenerState } from '../../model/listenerState.ts';
import { UserError } from '../../model/userError.ts';
import type { HeldSecret } from '../../model/webhookSecret.ts';
import { config } from '../config.ts';
import { loadOnce } from '../loadOnce.ts';
import { anyPort, reloadWaitsMs, retryPort, retryWaitsMs } from '../retryPort.ts';
import type { DeliverySender } from './deliverySender.ts';
import type { Destinations } from './destinations.ts';
import { ListenerEvents } from './listenerEvents.ts';
import { ListenerHost } from './listenerHost.ts';
import type { ListenerOptions } from './listenerOptions.ts';
import { type Listening, listeningState, type ListeningState, whereItListens } from './listeningState.ts';
import { PublicAddress } from './publicAddress.ts';
import { readSettings } from './readSettings.ts';

/** Where a window remembers the port that it listens on, to listen there again after a reload. */
const portKey = 'listener.port';

/** The listener as the editor sees it: its thread, its state, its deliveries. */
export class Listener implements vscode.Disposable {
  readonly #options: ListenerOptions;
  readonly #events = new ListenerEvents();
  readonly onDidChangeState = this.#events.state.event;
  readonly onDidReceiveDelivery = this.#events.received.event;
  readonly onDidChangeDelivery = this.#events.changed.event;
  /** The deliveries that arrived, many at a time under load. */
  readonly onDidArrive = this.#events.arrived.event;
  /** Requests that were turned away before they became deliveries. */
  readonly onDidRefuse = this.#events.refused.event;
  /** Kept deliveries have gone, and not because newer ones took their place. */
  readonly onDidForget = this.#events.forgot.event;
  /** Sends kept deliveries again, and test deliveries. Loaded when the first is sent. */
  readonly sender: () => Promise<DeliverySender>;
  /** Where deliveries may go. */
  readonly destinations: Destinations;
  #state: ListenerState = { kind: 'stopped' };
  #problem: string | undefined;
  #unverified = 0;
  readonly #public = new PublicAddress();
  readonly #host: ListenerHost;
  /** The last start or stop: the next one waits for it. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ListenerOptions) {
    const { secrets, destinations, log } = options;
    this.#options = options;
    this.destinations = destinations;
    this.#host = this.#newHost();
    const ownAddress = async () => (await this.start()).url;
    const parts = { host: this.#host, secrets, destinations, ownAddress, log };
    this.sender = loadOnce(async () => {
      const { DeliverySender } = await import('./deliverySender.ts');
      return new DeliverySender(parts);
    });
  }

  get state(): ListenerState {
    return this.#state;
  }

  /**
   * Starts listening; does nothing where it listens on that port already.
   * @throws PortTakenError where another program has the port
   */
  start(options: { port?: number } = {}): Promise<Listening> {
    return this.#next(() => this.#start(options.port, retryWaitsMs));
  }

  /** Listens again where this window listened before it was reloaded. */
  async resume(): Promise<void> {
    const port = this.#options.memento.get<number>(portKey);
    if (port !== undefined) await this.#next(() => this.#start(port, reloadWaitsMs));
  }

  stop(): Promise<void> {
    return this.#next(async () => {
      await this.#options.memento.update(portKey, undefined);
      if (this.#host.isRunning) await this.#host.ask('close', null);
      this.#set({ kind: 'stopped' });
    });
  }

  /** Where a run has its webhook sent, by the host of its proxy. Starts the listener if need be. */
  async webhookEndpoint(proxyHost: string): Promise<string> {
    const listening = await this.start();
    const endpoint = endpointFor(proxyHost, listening);
    if (endpoint !== undefined) return endpoint;
    throw new UserError(
      vscode.l10n.t(
        'The service cannot reach {0}. Open a tunnel, or set "runhook.listener.publicUrl".',
        listening.url,
      ),
    );
  }

  /** Tells under which address an open tunnel makes the listener public. */
  setPublicUrl(url: string | undefined): void {
    this.#public.tunnelUrl = url;
    this.refreshPublicUrl();
  }

  /**
   * While strangers may reach the listener, only signed deliveries are accepted. Called before a tunnel opens:
   * resolves when the thread goes by it.
   */
  async setTunnelled(isTunnelled: boolean): Promise<void> {
    this.#public.isTunnelled = isTunnelled;
    if (isTunnelled) await this.#ensureSecret();
    await this.configure();
  }

  /** Tells the thread to look out for a probe of the public address: it is no delivery. */
  async expectProbe(nonce: string): Promise<void> {
    await this.#host.ask('expectProbe', { nonce });
  }

  /** The probe as it arrived; undefined where it did not. */
  async collectProbe(nonce: string): Promise<ReceivedProbe | undefined> {
    return (await this.#host.ask('collectProbe', { nonce })) ?? undefined;
  }

  /** Reads the public address anew: an open tunnel's, else that of the settings. */
  refreshPublicUrl(): void {
    if (this.#state.kind === 'listening') this.#set(this.#listening(this.#state.port));
  }

  list(limit?: number): Promise<Delivery[]> {
    return this.#host.ask('list', limit === undefined ? {} : { limit });
  }

  /** The newest that fit, without their bodies. */
  async page(filter: DeliveryFilter, limit: number): Promise<DeliveryPage> {
    const page = await this.#host.ask('page', { filter, limit });
    this.#unverified = page.unverified;
    return page;
  }

  /** How many of all that are kept did not verify, so far as the thread has told. */
  get unverified(): number {
    return this.#unverified;
  }

  get(id: string): Promise<Delivery> {
    return this.#host.ask('get', { id });
  }

  async clear(): Promise<void> {
    await this.#host.ask('clear', null);
    this.#unverified = 0;
    this.#events.forgot.fire();
  }

  async setNextResponses(next: NextResponses): Promise<void> {
    await this.#host.ask('setNextResponses', next);
  }

  /** Tells which app a delivery is of that names no run. */
  noteApp(delivery: { id: string; appName: string }): void {
    this.#inBackground('Noting a run', this.#host.ask('noteApp', delivery));
  }

  /** Shows that nobody gets through to it any more; the next start listens anew. */
  markUnreachable(): void {
    this.#set({ kind: 'failed', reason: vscode.l10n.t('The listener takes no connections any more.') });
  }

  async secrets(): Promise<HeldSecret[]> {
    return (await this.#options.secrets.store()).held();
  }

  /** Joins a run to its deliveries, those that are here and those that will come. */
  noteRun(run: NotedRun): void {
    this.#inBackground('Noting a run', this.#host.ask('noteRun', run));
  }

  /** Sends settings and secrets to the thread, where there is one. */
  configure(): Promise<void> {
    return this.#host.configure();
  }

  /** The same after `runhook.deliveries.keep` has changed: there may be fewer deliveries now. */
  async configureKeep(): Promise<void> {
    await this.configure();
    this.#events.forgot.fire();
  }

  /** Ends the thread. What it acknowledged is on the disk. */
  end(): Promise<void> {
    return this.#host.end();
  }

  dispose(): void {
    this.#inBackground('Ending the listener', this.#host.close());
    this.destinations.dispose();
    this.#events.dispose();
  }

  async #ensureSecret(): Promise<{ secret: string }> {
    return (await this.#options.secrets.store()).ensure();
  }

  #next<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#last.then(action, action);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #start(wanted: number | undefined, waitsMs: readonly number[]): Promise<Listening> {
    const state = this.#state;
    if (state.kind === 'listening' && (wanted === undefined || wanted === 0 || wanted === state.port)) {
      return whereItListens(state);
    }
    this.#set({ kind: 'starting' });
    try {
      await this.#host.start();
      await this.configure();
      const asked = wanted ?? config.listenerPort();
      const listen = (on: number) => this.#host.ask('listen', { port: on });
      // Where its thread died it rather takes the port that it had.
      const before = wanted === undefined ? this.#options.memento.get<number>(portKey) : undefined;
      const { port } = await (asked === 0 ? anyPort(before, listen) : retryPort(asked, waitsMs, listen));
      const listening = this.#listening(port);
      this.#set(listening);
      await this.#options.memento.update(portKey, port);
      return whereItListens(listening);
    } catch (error) {
      this.#set({ kind: 'failed', reason: failureText(error, vscode.l10n.t) });
      throw error;
    }
  }

  #listening(port: number): ListeningState {
    return listeningState(port, this.#public.url, this.#problem);
  }

  #newHost(): ListenerHost {
    const { workerFile, folder, secrets } = this.#options;
    return new ListenerHost({
      workerFile,
      folder,
      readSettings: () => readSettings(secrets, this.destinations, this.#public.isPublic),
      handlers: {
        arrived: (news) => {
          this.#unverified = news.unverified;
          this.#events.tell(news);
          return null;
        },
        journal: ({ problem }) => {
          this.#noteProblem(problem);
          return null;
        },
      },
      onDied: (reason) => this.#died(reason),
    });
  }

  #noteProblem(problem: string | undefined): void {
    this.#problem = problem && failureText(new Error(problem), vscode.l10n.t);
    if (problem !== undefined) this.#options.log.error(`Deliveries cannot be kept: ${problem}`);
    this.refreshPublicUrl();
  }

  #died(reason: Error): void {
    this.#options.log.error(reason);
    this.#set({
      kind: 'failed',
      reason: vscode.l10n.t('The listener ended: {0}', failureText(reason, vscode.l10n.t)),
    });
  }

  #set(state: ListenerState): void {
    this.#state = state;
    this.#events.state.fire(state);
  }

  #inBackground(what: string, done: Promise<unknown>): void {
    done.catch((error: unknown) => this.#options.log.error(`${what} failed: ${String(error)}`));
  }
}
