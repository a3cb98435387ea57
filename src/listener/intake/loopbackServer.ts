import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { HeldRequest } from './heldRequest.ts';
import type { Senders, SenderLimits } from './senders.ts';

export interface LoopbackServerOptions {
  limits: SenderLimits;
  senders: Senders;
  /** @param waitsForContinue whether the sender waits for `100 Continue` before it sends the body */
  onRequest: (request: HeldRequest, response: http.ServerResponse, waitsForContinue?: boolean) => void;
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
  });
  senders.watch(server);
  server.on('request', (request, response) => onRequest(request, response));
  server.on('checkContinue', (request, response) => onRequest(request, response, true));
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
