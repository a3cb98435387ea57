import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SandboxFault } from '../model/sandboxFault.ts';
import type { AppliedByApp, LocalApps, SandboxAddress } from '../model/sandboxProtocol.ts';
import { authenticate, authorize } from './authorize.ts';
import type { Clock } from '../model/clock.ts';
import { faultsOf, misbehave } from './faults.ts';
import { accountOf, appOf, listKeys, modifyApp } from './managementApi.ts';
import { openApi } from './openApi.ts';
import { Refusal, sendJson, sendRefusal } from './refusal.ts';
import { isPublic, methods, type Route, routeOf } from './route.ts';
import { RunProxy } from './runProxy.ts';
import { type App, SandboxState } from './sandboxState.ts';
import { AppSilent } from './localApp.ts';
import { passUpgrade, refuseUpgrade } from './upgrade.ts';
import { hasWebhook, queryForApp } from './webhookParameters.ts';
import { WebhookSender } from './webhookSender.ts';

/** How long one attempt of a webhook may take. The document states none. */
export const attemptTimeoutMs = 30_000;

/**
 * Clients that would rather speak HTTP/2 offer it in a call that is to be answered as ever (RFC 9110, section
 * 7.8). Node knows this option from 24.9 on; before, such an offer is refused.
 */
const onlyWebsockets: ServerOptions = {
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
} as ServerOptions;

export interface SandboxOptions {
  /** 0 for any free port. */
  port: number;
  apps: LocalApps;
  clock: Clock;
  /** From 0 (inclusive) to 1 (exclusive). */
  random: () => number;
  attemptTimeoutMs: number;
  log: (line: string) => void;
  /** Told what the apps hold after each change of it. */
  onApplied?: (applied: AppliedByApp) => void;
}

/** The whole service on one loopback port: management API, run proxy and webhook sender. */
export class SandboxServer {
  readonly address: SandboxAddress;
  readonly #server: Server;
  readonly #options: SandboxOptions;
  readonly #state: SandboxState;
  readonly #sender: WebhookSender;
  readonly #proxy: RunProxy;
  readonly #upgraded = new Set<Duplex>();
  #apps: LocalApps;
  #faults: ReadonlySet<SandboxFault> = new Set();

  /** Binds 127.0.0.1 and serves. @throws UserError for an app's bad address, else what binding failed with */
  static async start(options: SandboxOptions): Promise<SandboxServer> {
    const state = new SandboxState(options.clock.now(), options.apps);
    const server = createServer(onlyWebsockets);
    // A call may stream for as long as it likes.
    server.requestTimeout = 0;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      // With Node's own backlog of 511, those beyond that in a burst of connections wait for a second.
      server.listen({ port: options.port, host: '127.0.0.1', backlog: 4096 }, resolve);
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

  /** @throws UserError for an app's bad address; those before stay then */
  setApps(apps: LocalApps): void {
    this.#state.setLocalApps(apps);
    this.#apps = apps;
    this.#tellApplied();
  }

  /** Every call has these from now on, unless it asks for others itself. */
  setFaults(faults: Iterable<SandboxFault>): void {
    this.#faults = new Set(faults);
  }

  /** Back to the seeded state, without faults. */
  reset(): void {
    this.#state.reset(this.#apps);
    this.#faults = new Set();
    this.#tellApplied();
  }

  /** Closes at once; webhooks that are on their way are given up. */
  async close(): Promise<void> {
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
      if (response.destroyed) return;
      const refusal = this.#refusalOf(error, `A ${request.method ?? ''}`);
      if (response.headersSent) response.destroy();
      else sendRefusal(response, refusal);
    }
  }

  async #dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? '';
    if (!isPublic(target)) authenticate(request, this.#state, this.#options.clock.now());
    const route = routeOf(target);
    const method = methods[route.kind];
    if (method !== undefined && request.method !== method) {
      throw new Refusal(405, `Use ${method}.`, { Allow: method });
    }
    if (route.kind === 'openApi') {
      sendJson(response, 200, openApi);
      return;
    }
    const faults = faultsOf(request, this.#faults);
    await misbehave(faults, route.kind === 'run' && hasWebhook(route.query), response, this.#options.clock);
    authorize(this.#state, route.projectId);
    switch (route.kind) {
      case 'keys':
        listKeys(response, accountOf(this.#state, route.serviceAccountId));
        return;
      case 'app':
        await modifyApp(request, response, appOf(this.#state, route.appId));
        this.#tellApplied();
        return;
      case 'run':
        await this.#proxy.run({ request, response, app: this.#appNamed(route), ...route, faults });
    }
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    this.#upgraded.add(socket);
    socket.on('close', () => this.#upgraded.delete(socket));
    socket.on('error', () => socket.destroy());
    try {
      authenticate(request, this.#state, this.#options.clock.now());
      const route = routeOf(request.url ?? '');
      if (route.kind !== 'run') throw new Refusal(400, 'Only an app takes a websocket connection.');
      authorize(this.#state, route.projectId);
      const { name, runs } = this.#appNamed(route);
      if (runs.kind === 'builtIn') throw new Refusal(501, `The app ${name} takes no websocket connection.`);
      const query = queryForApp(route.query);
      await passUpgrade(runs.url, request, `${route.path}${query === '' ? '' : `?${query}`}`, socket, head);
    } catch (error) {
      refuseUpgrade(socket, this.#refusalOf(error, 'An upgrade'));
    }
  }

  #tellApplied(): void {
    this.#options.onApplied?.(this.#state.applied);
  }

  #refusalOf(error: unknown, what: string): Refusal {
    if (error instanceof Refusal) return error;
    if (error instanceof AppSilent) return new Refusal(502, error.message);
    this.#options.log(`${what} failed: ${String(error)}`);
    return new Refusal(500, 'The sandbox failed.');
  }

  #appNamed({ appName }: Route & { kind: 'run' }): App {
    const app = this.#state.appNamed(appName);
    if (app === undefined) throw new Refusal(404, `There is no app "${appName}".`);
    return app;
  }
}
