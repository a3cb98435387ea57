import * as http from 'node:http';
import * as https from 'node:https';
import type { ClientRequest } from 'node:http';
import type { RequestOptions } from 'node:https';
import { type Clock, delay } from '../../../shared/async/clock.ts';
import type { SandboxFault } from '../sandboxFault.ts';
import { spoilByte, spoilDigit, staleSeconds } from '../../signature/signature.ts';

const closesThem = { keepSocketAlive: () => false };
const agents = {
  http: Object.assign(new http.Agent({ keepAlive: true }), closesThem),
  https: Object.assign(new https.Agent({ keepAlive: true }), closesThem),
};

/**
 * A request on a connection of its own: the other side may have closed one that was kept. It is not asked to close
 * it, or one that answers before it has read a large body would reset it, too.
 */
export function requestAlone(url: URL, options: https.RequestOptions): http.ClientRequest {
  const [send, agent] =
    url.protocol === 'https:' ? [https.request, agents.https] : [http.request, agents.http];
  return send(url, { agent, ...options });
}

/** The number of pieces in which a body is sent slowly. */
const parts = 10;

/** How long a connection may be idle after the status has arrived, in milliseconds. */
const idleMs = 1000;

/** One attempt's request. */
export interface WebhookRequest {
  endpoint: URL;
  /** Defaults to POST. */
  method?: string;
  headers: Readonly<Record<string, string>>;
  /** What is special about the connection. */
  connection?: Readonly<RequestOptions>;
  body: Uint8Array;
  /** How the body is sent: at once, in `parts` pieces, or only its first half. */
  pace: { kind: 'atOnce' } | { kind: 'parts'; pause: () => Promise<void> } | { kind: 'half' };
}

/**
 * Sends a webhook and resolves with the status of the answer; a redirect is an answer like any other.
 * @throws the error of the connection, or the signal's reason
 */
export function postWebhook(request: WebhookRequest, signal: AbortSignal): Promise<number> {
  const { endpoint, headers, body } = request;
  return new Promise((resolve, reject) => {
    const outgoing = requestAlone(endpoint, {
      ...request.connection,
      method: request.method ?? 'POST',
      headers: { ...headers, 'Content-Length': body.byteLength },
      signal,
    });
    outgoing.on('error', reject);
    // Status 101: Node would not report its end.
    outgoing.on('upgrade', ({ statusCode = 101 }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    outgoing.on('response', (answer) => {
      resolve(answer.statusCode ?? 0);
      // The rest of the response does not matter, and the endpoint may never end it.
      answer.on('error', () => outgoing.destroy());
      answer.resume();
      outgoing.setTimeout(idleMs, () => outgoing.destroy());
    });
    write(outgoing, request).catch(reject);
  });
}

async function write(outgoing: ClientRequest, { body, pace }: WebhookRequest): Promise<void> {
  switch (pace.kind) {
    case 'atOnce':
      outgoing.end(body);
      return;
    case 'half':
      outgoing.write(body.subarray(0, Math.ceil(body.byteLength / 2)));
      return;
    case 'parts': {
      const upTo = (part: number) => Math.floor((body.byteLength * part) / parts);
      for (let part = 0; part < parts && !outgoing.destroyed; part += 1) {
        outgoing.write(body.subarray(upTo(part), upTo(part + 1)));
        await pace.pause();
      }
      outgoing.end();
    }
  }
}

const slowMs = 5000;

/** The timestamp to sign a webhook with, in Unix seconds. @param now Unix milliseconds */
export function signingTime(now: number, faults: ReadonlySet<SandboxFault>): number {
  return Math.floor(now / 1000) - (faults.has('stale-timestamp') ? staleSeconds : 0);
}

/** The value of the signature header. @param signature its digits */
export function signatureHeader(signature: string, faults: ReadonlySet<SandboxFault>): string {
  return `v1,${faults.has('bad-signature') ? spoilDigit(signature) : signature}`;
}

/** Applies the faults that come after signing: to the body, and to how it is sent. */
export function spoiledBody(
  body: Uint8Array,
  faults: ReadonlySet<SandboxFault>,
  clock: Clock,
  signal: AbortSignal,
): Pick<WebhookRequest, 'body' | 'pace'> {
  const sent = faults.has('body-changed') ? spoilByte(body) : body;
  if (faults.has('hang')) return { body: sent, pace: { kind: 'half' } };
  if (!faults.has('slow')) return { body: sent, pace: { kind: 'atOnce' } };
  return { body: sent, pace: { kind: 'parts', pause: () => delay(clock, slowMs / parts, signal) } };
}
