import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { HeldRequest } from './heldRequest.ts';
import { t } from '../../model/text/l10n.ts';
import type { Expects } from './turnedAway.ts';
import type { Senders, SenderLimits } from './senders.ts';

export interface LoopbackServerOptions {
  limits: SenderLimits;
  senders: Senders;
  onRequest: (request: HeldRequest, response: http.ServerResponse, expects?: Expects) => void;
}

/**
 * Listens on 127.0.0.1; 0 takes any free port. Rejects with Node's error, for example with `code` EADDRINUSE.
 * @returns the server, and the port that it is bound to
 */
export async function loopbackServer(
  wanted: number,
  { limits, senders, onRequest }: LoopbackServerOptions,
): Promise<{ server: http.Server; port: number }> {
  // guard: the parser is strict
  const server = http.createServer({
    IncomingMessage: HeldRequest,
    // guard: limits of size and time for headers and body
    requestTimeout: limits.request,
    headersTimeout: limits.headers,
    connectionsCheckingInterval: limits.check,
    keepAliveTimeout: 30_000,
    // Node would answer by itself, and nobody would be told.
    requireHostHeader: false,
  });
  // A sender may close its side as soon as it has sent all: it still reads the answer. Node documents no option for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  senders.watch(server);
  server.on('request', (request, response) => onRequest(request, response));
  server.on('checkContinue', (request, response) => onRequest(request, response, 'continue'));
  // guard: what is refused leaves a line, whoever refuses it
  server.on('checkExpectation', (request, response) => onRequest(request, response, 'unknown'));
  server.on('connect', ({ method = '' }, socket) =>
    senders.refuse(socket, { status: 405, method, reason: t('only POST is a delivery') }),
  );
  server.on('upgrade', (request, socket, head) => senders.ignoreUpgrade(request, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // With Node's default backlog of 511, the 512th connection of a burst would wait for a second.
    // guard: it listens on 127.0.0.1 alone
    server.listen({ port: wanted, host: '127.0.0.1', backlog: 4096 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A server listening on TCP has an AddressInfo.
  return { server, port: (server.address() as AddressInfo).port };
}
