import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SandboxAddress } from '../model/service/sandboxProtocol.ts';
import type { WebhookAttempt } from '../model/service/webhookAttempt.ts';
import { CallHandler } from './runProxy/callHandler.ts';
import { SandboxState, type SandboxStateOptions } from './sandboxState.ts';
import { WebhookSender, type WebhookSenderOptions } from './webhook/webhookSender.ts';

/**
 * Clients that would rather speak HTTP/2 offer it in a call that is to be answered as ever (RFC 9110, section
 * 7.8). Node knows this option from 24.9 on; before, such an offer is refused.
 */
const onlyWebsockets: ServerOptions = {
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
} as ServerOptions;

export interface SandboxOptions extends SandboxStateOptions, WebhookSenderOptions {
  /** 0 for any free port. */
  port: number;
}

/** The whole service on one loopback port: management API, run proxy and webhook sender. */
export class SandboxServer {
  readonly address: SandboxAddress;
  readonly state: SandboxState;
  readonly #server: Server;
  readonly #sender: WebhookSender;
  readonly #upgraded = new Set<Duplex>();

  /** Binds 127.0.0.1 and serves. @throws UserError for an app's bad address, else what binding failed with */
  static async start(options: SandboxOptions): Promise<SandboxServer> {
    const state = new SandboxState(options.clock.now(), options);
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
    this.state = state;
    const onAttempt = (attempt: WebhookAttempt) => {
      state.attempts.add(attempt);
      options.onAttempt?.(attempt);
    };
    this.#sender = new WebhookSender({ ...options, onAttempt });
    const calls = new CallHandler(state, this.#sender, options);
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

  /** Closes at once; webhooks that are on their way are given up. */
  async close(): Promise<void> {
    this.#sender.stop();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    for (const socket of this.#upgraded) socket.destroy();
    await closed;
  }
}
