import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../model/processes/clock.ts';
import type { SandboxFault } from '../model/service/sandboxFault.ts';
import { unknownAccount } from '../model/projects/projectErrors.ts';
import type { AppliedByApp, LocalApps, NewToken, SandboxAddress } from '../model/service/sandboxProtocol.ts';
import type { WebhookAttempt } from '../model/service/webhookAttempt.ts';
import { AttemptLog } from './webhook/attemptLog.ts';
import { CallHandler } from './runProxy/callHandler.ts';
import { RunProxy } from './runProxy/runProxy.ts';
import { SandboxState } from './sandboxState.ts';
import { WebhookSender } from './webhook/webhookSender.ts';

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
  /** Of its one project; `p-sandbox` where absent. */
  projectId?: string;
  clock: Clock;
  /** From 0 (inclusive) to 1 (exclusive). */
  random: () => number;
  attemptTimeoutMs: number;
  log: (line: string) => void;
  /** Told of each attempt to deliver a webhook, once it has ended. */
  onAttempt?: (attempt: WebhookAttempt) => void;
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
  readonly #calls: CallHandler;
  readonly #attempts = new AttemptLog();
  readonly #upgraded = new Set<Duplex>();
  #apps: LocalApps;

  /** Binds 127.0.0.1 and serves. @throws UserError for an app's bad address, else what binding failed with */
  static async start(options: SandboxOptions): Promise<SandboxServer> {
    const state = new SandboxState(options.clock.now(), options.apps, options.projectId);
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
    const onAttempt = (attempt: WebhookAttempt) => {
      this.#attempts.add(attempt);
      options.onAttempt?.(attempt);
    };
    this.#sender = new WebhookSender({ ...options, onAttempt });
    this.#calls = new CallHandler({
      state,
      proxy: new RunProxy(this.#sender, options.clock),
      attempts: this.#attempts,
      clock: options.clock,
      log: options.log,
      onModified: () => this.#tellApplied(),
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { projectId, serviceAccounts, apps } = state;
    const { id: serviceAccountId = '', token = '' } = serviceAccounts[0] ?? {};
    this.address = { baseUrl: url, proxyUrl: url, projectId, serviceAccountId, token, apps, serviceAccounts };
    server.on('request', (request, response) => void this.#calls.answer(request, response));
    server.on('upgrade', (request, socket, head) => {
      this.#upgraded.add(socket);
      socket.on('close', () => this.#upgraded.delete(socket));
      void this.#calls.upgrade(request, socket, head);
    });
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
    this.#calls.faults = new Set(faults);
  }

  /** The last attempts to deliver the webhook of a run, or of all runs, the oldest first. */
  attempts(runId?: string): WebhookAttempt[] {
    return this.#attempts.list(runId);
  }

  /** A further token of a service account. @throws UserError where there is none such */
  newToken(serviceAccountId: string): NewToken {
    const account = this.#state.account(serviceAccountId);
    if (account === undefined) throw unknownAccount(this.#state.projectId, serviceAccountId);
    return this.#state.newToken(account, this.#options.clock.now());
  }

  /** Back to the seeded state, without faults. */
  reset(): void {
    this.#state.reset(this.#apps);
    this.#calls.faults = new Set();
    this.#attempts.clear();
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

  #tellApplied(): void {
    this.#options.onApplied?.(this.#state.applied);
  }
}
