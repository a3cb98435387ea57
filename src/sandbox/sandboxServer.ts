import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SandboxFault } from '../model/sandboxFault.ts';
import type { LocalApps, SandboxAddress } from '../model/sandboxProtocol.ts';
import { authenticate, authorize } from './authorize.ts';
import { type Clock, delay } from './clock.ts';
import { faultsOf } from './faults.ts';
import { accountOf, appOf, listKeys, modifyApp } from './managementApi.ts';
import { Refusal, sendRefusal } from './refusal.ts';
import { methods, type Route, routeOf } from './route.ts';
import { RunProxy } from './runProxy.ts';
import { type App, SandboxState } from './sandboxState.ts';
import { passUpgrade, refuseUpgrade } from './upgrade.ts';
import { queryForApp } from './webhookParameters.ts';
import { WebhookSender } from './webhookSender.ts';

export interface SandboxOptions {
  /** 0 for any free port. */
  port: number;
  apps: LocalApps;
  clock: Clock;
  /** From 0 (inclusive) to 1 (exclusive). */
  random: () => number;
  /** How long one attempt of a webhook may take. The document states none. */
  attemptTimeoutMs: number;
  log: (line: string) => void;
}

const latencyMs = 1000;

/** The whole service on one loopback port: management API, run proxy and webhook sender. */
export class SandboxServer {
  readonly address: SandboxAddress;
  readonly #server: Server;
  readonly #options: SandboxOptions;
  readonly #state: SandboxState;
  readonly #sender: WebhookSender;
  readonly #proxy: RunProxy;
  readonly #upgraded = new Set<Duplex>();
  readonly #closed = new AbortController();
  #apps: LocalApps;
  #faults: ReadonlySet<SandboxFault> = new Set();

  /** Binds 127.0.0.1 and serves. @throws RangeError for an app's bad address, else what binding failed with */
  static async start(options: SandboxOptions): Promise<SandboxServer> {
    const state = new SandboxState(options.clock.now(), options.apps);
    const server = createServer();
    // A call may stream for as long as it likes.
    server.requestTimeout = 0;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, '127.0.0.1', resolve);
    });
    return new SandboxServer(server, state, options);
  }

  private constructor(server: Server, state: SandboxState, options: SandboxOptions) {
    this.#server = server;
    this.#state = state;
    this.#options = options;
    this.#apps = options.apps;
    this.#sender = new WebhookSender(options);
    this.#proxy = new RunProxy(this.#sender, options.clock);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { projectId, serviceAccountId, token, apps } = state;
    this.address = { baseUrl: url, proxyUrl: url, projectId, serviceAccountId, token, apps };
    server.on('request', (request, response) => void this.#answer(request, response));
    server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
  }

  get apps(): SandboxAddress['apps'] {
    return this.#state.apps;
  }

  /** @throws RangeError for an app's bad address; those before stay then */
  setApps(apps: LocalApps): void {
    this.#state.setLocalApps(apps);
    this.#apps = apps;
  }

  /** Every call has these from now on, unless it asks for others itself. */
  setFaults(faults: Iterable<SandboxFault>): void {
    this.#faults = new Set(faults);
  }

  /** Back to the seeded state, without faults. */
  reset(): void {
    this.#state.reset(this.#apps);
    this.#faults = new Set();
  }

  /** Closes at once; webhooks that are on their way are given up. */
  async close(): Promise<void> {
    this.#closed.abort();
    this.#sender.stop();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    for (const socket of this.#upgraded) socket.destroy();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#dispatch(request, response);
    } catch (error) {
      if (this.#closed.signal.aborted || response.destroyed) return;
      if (!(error instanceof Refusal)) this.#options.log(`${request.method ?? ''} failed: ${String(error)}`);
      if (response.headersSent) response.destroy();
      else sendRefusal(response, error instanceof Refusal ? error : new Refusal(500, 'The sandbox failed.'));
    }
  }

  async #dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = routeOf(request.url ?? '');
    const method = methods[route.kind];
    if (route.kind !== 'openApi') authenticate(request, this.#state, this.#options.clock.now());
    if (method !== undefined && request.method !== method) {
      throw new Refusal(405, `Use ${method}.`, { Allow: method });
    }
    const faults = faultsOf(request, this.#faults);
    if (route.kind === 'openApi') return;
    await this.#misbehave(faults, route.kind === 'run' && route.query.includes('webhookEndpoint='));
    authorize(this.#state, route.projectId);
    switch (route.kind) {
      case 'keys':
        listKeys(response, accountOf(this.#state, route.serviceAccountId));
        return;
      case 'app':
        await modifyApp(request, response, appOf(this.#state, route.appId));
        return;
      case 'run':
        await this.#proxy.run({ request, response, app: this.#appNamed(route), ...route, faults });
    }
  }

  async #misbehave(faults: ReadonlySet<SandboxFault>, hasWebhook: boolean): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#closed;
    if (faults.has('hang') && !hasWebhook) {
      await new Promise((_, reject) => signal.addEventListener('abort', reject, { once: true }));
    }
    if (faults.has('latency')) await delay(clock, latencyMs, signal);
    if (faults.has('slow') && !hasWebhook) await delay(clock, 5 * latencyMs, signal);
    if (faults.has('404')) throw new Refusal(404, 'The sandbox was asked to answer 404.');
    if (faults.has('429'))
      throw new Refusal(429, 'The sandbox was asked to answer 429.', { 'Retry-After': '1' });
    if (faults.has('500')) throw new Refusal(500, 'The sandbox was asked to answer 500.');
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    this.#upgraded.add(socket);
    socket.on('close', () => this.#upgraded.delete(socket));
    socket.on('error', () => socket.destroy());
    try {
      const route = routeOf(request.url ?? '');
      authenticate(request, this.#state, this.#options.clock.now());
      if (route.kind !== 'run') throw new Refusal(400, 'Only an app takes a websocket connection.');
      authorize(this.#state, route.projectId);
      const { name, runs } = this.#appNamed(route);
      if (runs.kind === 'builtIn') throw new Refusal(501, `The app ${name} takes no websocket connection.`);
      const query = queryForApp(route.query);
      await passUpgrade(runs.url, request, `${route.path}${query === '' ? '' : `?${query}`}`, socket, head);
    } catch (error) {
      if (!(error instanceof Refusal)) this.#options.log(`An upgrade failed: ${String(error)}`);
      refuseUpgrade(socket, error instanceof Refusal ? error : new Refusal(500, 'The sandbox failed.'));
    }
  }

  #appNamed({ appName }: Route & { kind: 'run' }): App {
    const app = this.#state.appNamed(appName);
    if (app === undefined) throw new Refusal(404, `There is no app "${appName}".`);
    return app;
  }
}
