import * as http from 'node:http';
import * as https from 'node:https';

/** How many pieces a body that is sent slowly comes in. */
export const parts = 10;

/** How long a connection may lie idle once the status has come. */
const idleMs = 1000;

/** One attempt's request. */
export interface WebhookRequest {
  endpoint: URL;
  /** POST, unless it says otherwise. */
  method?: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** How the body is sent: at once, in `parts` pieces, or only its first half. */
  pace: { kind: 'atOnce' } | { kind: 'parts'; pause: () => Promise<void> } | { kind: 'half' };
}

// A connection that is used again may have been closed by the other side meanwhile, which would look like
// a network error and repeat a webhook for no reason. Hence no keep-alive.
const agents = { 'http:': new http.Agent(), 'https:': new https.Agent() };

/**
 * Sends a webhook and resolves with the status of the answer; a redirect is an answer like any other.
 * @throws what the connection failed with, or the signal's reason
 */
export function postWebhook(request: WebhookRequest, signal: AbortSignal): Promise<number> {
  const { endpoint, headers, body } = request;
  const tls = endpoint.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const outgoing = (tls ? https : http).request(endpoint, {
      method: request.method ?? 'POST',
      agent: agents[tls ? 'https:' : 'http:'],
      headers: { ...headers, 'Content-Length': body.byteLength },
      signal,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (answer) => {
      resolve(answer.statusCode ?? 0);
      // What follows the status no longer matters, and nothing obliges the endpoint to bring it to an end.
      answer.on('error', () => outgoing.destroy());
      answer.resume();
      outgoing.setTimeout(idleMs, () => outgoing.destroy());
    });
    write(outgoing, request).catch(reject);
  });
}

async function write(outgoing: http.ClientRequest, { body, pace }: WebhookRequest): Promise<void> {
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
