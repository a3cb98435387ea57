import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SandboxAddress } from './sandboxProtocol.ts';
import type { WebhookAttempt } from '../webhookAttempt.ts';
import { callHandler } from './runProxy/callHandler.ts';
import { ServiceState, type ServiceStateOptions } from './serviceState.ts';
import { WebhookSender, type WebhookSenderOptions } from './webhook/webhookSender.ts';

/**
 * Accepts upgrades to websocket only. Some clients offer an upgrade to HTTP/2 in a call that a server may answer as
 * usual (RFC 9110, section 7.8). Node has this option since 24.9; older versions refuse such a call.
 */
const onlyWebsockets: ServerOptions = {
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
} as ServerOptions;

interface SandboxOptions extends ServiceStateOptions, WebhookSenderOptions {
  /** 0 takes any free port. */
  port: number;
}

/** The whole service on one loopback port: management API, run proxy and webhook sender. */
export class SandboxServer {
  readonly address: SandboxAddress;
  readonly state: ServiceState;
  readonly #server: Server;
  readonly #sender: WebhookSender;
  readonly #upgraded = new Set<Duplex>();

  /** Binds 127.0.0.1 and serves. @throws UserError if an app's address is invalid, or the error that binding gave */
  static async start(options: SandboxOptions): Promise<SandboxServer> {
    const state = new ServiceState(options.clock.now(), options);
    const server = createServer(onlyWebsockets);
    // A call may stream without a time limit.
    server.requestTimeout = 0;
    // Clients close an idle connection first. Where both do at once, a call is lost.
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      // With Node's default backlog of 511, further connections of a burst would wait for a second.
      server.listen({ port: options.port, host: '127.0.0.1', backlog: 4096 }, resolve);
    });
    return new SandboxServer(server, state, options);
  }

  private constructor(server: Server, state: ServiceState, options: SandboxOptions) {
    this.#server = server;
    this.state = state;
    const onAttempt = (attempt: WebhookAttempt) => {
      state.attempts.add(attempt);
      options.onAttempt?.(attempt);
    };
    this.#sender = new WebhookSender({ ...options, onAttempt });
    const calls = callHandler(state, this.#sender, options);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { projectId, serviceAccounts, apps } = state;
    const { id: serviceAccountId = '', token = '' } = serviceAccounts[0] ?? {};
    this.address = { baseUrl: url, proxyUrl: url, projectId, serviceAccountId, token, apps, serviceAccounts };
    server.on('request', (request, response) => void calls.answer(request, response));
    server.on('upgrade', (request, socket, head) => {
      this.#upgraded.add(socket);
      socket.on('close', () => this.#upgraded.delete(socket));
      void calls.upgrade(request, socket, head);
    });
  }

  /** Closes at once, and cancels pending webhooks. */
  async close(): Promise<void> {
    this.#sender.stop();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    for (const socket of this.#upgraded) socket.destroy();
    await closed;
  }
}
