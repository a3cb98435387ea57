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
  // guard S80: The parser is strict.
  const server = http.createServer({
    IncomingMessage: HeldRequest,
    // guard S12: Headers and body have limits of size and time.
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
  // guard S15: Each refused request leaves a line, also one that Node's parser refuses.
  server.on('checkExpectation', (request, response) => onRequest(request, response, 'unknown'));
  server.on('connect', ({ method = '' }, socket) =>
    senders.refuse(socket, { status: 405, method, reason: t('only POST is a delivery') }),
  );
  server.on('upgrade', (request, socket, head) => senders.ignoreUpgrade(request, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // With Node's default backlog of 511, the 512th connection of a burst would wait for a second.
    // guard S3: The listener listens on 127.0.0.1 only.
    server.listen({ port: wanted, host: '127.0.0.1', backlog: 4096 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A server listening on TCP has an AddressInfo.
  return { server, port: (server.address() as AddressInfo).port };
}
