import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { HeldRequest } from './heldRequest.ts';
import type { Senders, SenderLimits } from './senders.ts';

export interface LoopbackServerOptions {
  limits: SenderLimits;
  senders: Senders;
  /** @param waitsForContinue whether the sender wants to be told to send the body */
  onRequest: (request: HeldRequest, response: http.ServerResponse, waitsForContinue?: boolean) => void;
}

/**
 * Listens on 127.0.0.1; 0 takes any free port. Rejects with Node's error, `code` EADDRINUSE among them.
 * @returns the server, and the port that it has
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
  server.on('request', (came, response) => onRequest(came, response));
  server.on('checkContinue', (came, response) => onRequest(came, response, true));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Node's backlog of 511 would make the 512th of a burst of connections wait for a second.
    // guard: it listens on 127.0.0.1 alone
    server.listen({ port: wanted, host: '127.0.0.1', backlog: 4096 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A server listening on TCP has an AddressInfo.
  return { server, port: (server.address() as AddressInfo).port };
}
