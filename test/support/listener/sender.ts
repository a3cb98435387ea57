import * as http from 'node:http';
import { sign } from '../../../src/service/signature/signature.ts';

/** Sends signed deliveries to a listener over keep-alive connections. */
export class Sender {
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #port: number;
  readonly #secret: string;

  constructor(port: number, secret: string) {
    this.#port = port;
    this.#secret = secret;
  }

  /** Sends a delivery that verifies. Resolves to the status; rejects if there is no answer. */
  deliver(
    requestId: string,
    body: string,
    path = '/',
    signedAt = Math.floor(Date.now() / 1000),
  ): Promise<number> {
    const timestamp = signedAt.toString();
    const headers = {
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
      'X-Service-Webhook-Timestamp': timestamp,
      'X-Service-Webhook-Signature': `v1,${sign(this.#secret, requestId, timestamp, Buffer.from(body))}`,
    };
    const options = {
      host: '127.0.0.1',
      port: this.#port,
      path,
      method: 'POST',
      headers,
      agent: this.#agent,
    };
    return new Promise((resolve, reject) => {
      const request = http.request(options, (answer) => {
        // The status acknowledges the delivery, even if the connection breaks afterwards.
        resolve(answer.statusCode ?? 0);
        answer.on('error', () => undefined).resume();
      });
      request.on('error', reject).end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
