import * as http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { sign } from '../../src/service/signature/signature.ts';
import type { Random } from '../support/random/random.ts';

const maxAttempts = 3;
const timeoutMs = 5000;
/** The share of acknowledged deliveries that is sent again, as if the service had not received the answer. */
const repeatShare = 0.05;

interface SenderOptions {
  secret: string;
  random: Random;
  /** Returns the port for the next attempt. */
  port: () => number;
  /** Expected statuses besides 200. */
  allowedStatuses: ReadonlySet<number>;
  onFailure: (failure: string) => void;
}

/** Sends deliveries as the service does, and records the acknowledged ones. */
export class SoakSender {
  readonly #options: SenderOptions;
  readonly #agent = new http.Agent({ keepAlive: true, maxFreeSockets: 4 });
  /** The acknowledged bodies by request id. */
  readonly acknowledged = new Map<string, string>();
  sent = 0;
  /** Deliveries sent before this time do not count as acknowledged. */
  #countsFrom = 0;
  #running = false;
  #connections: Promise<void>[] = [];

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  start(name: string, connections: number): void {
    this.#running = true;
    this.#connections = Array.from({ length: connections }, (_, index) => this.#send(`${name}-${index}`));
  }

  /** Stops sending. Resolves when all deliveries are done. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#connections);
    this.#agent.destroy();
  }

  /** Forgets the acknowledged deliveries, after a fault that removes them. */
  forgetAcknowledged(): void {
    this.acknowledged.clear();
    this.#countsFrom = performance.now();
  }

  async #send(name: string): Promise<void> {
    const { random } = this.#options;
    for (let count = 0; this.#running; count += 1) {
      const requestId = `${name}-${count}`;
      const filler = 'x'.repeat(random.whole(0, random.next() < 0.02 ? 100_000 : 1500));
      const body = JSON.stringify({ run_id: requestId, filler });
      await this.deliver(requestId, body);
      if (this.acknowledged.has(requestId) && random.next() < repeatShare)
        await this.deliver(requestId, body);
      await pause(random.whole(0, 30));
    }
  }

  /** Makes at most three attempts, and retries only after a network error (service-interface.md, section 6). */
  async deliver(requestId: string, body: string): Promise<void> {
    const { random, allowedStatuses: allowed, onFailure } = this.#options;
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      this.sent += 1;
      const sentAt = performance.now();
      const status = await this.#post(requestId, body).catch(() => undefined);
      if (status === 200 && sentAt >= this.#countsFrom) this.acknowledged.set(requestId, body);
      if (status !== undefined && status !== 200 && !allowed.has(status))
        onFailure(`${requestId} was answered ${status}.`);
      if (status !== undefined) return;
      await pause(random.whole(5, 100) * attempt);
    }
  }

  #post(requestId: string, body: string): Promise<number> {
    const timestamp = Math.floor(Date.now() / 1000).toString();
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
      'X-Service-Webhook-Timestamp': timestamp,
      'X-Service-Webhook-Signature': `v1,${sign(this.#options.secret, requestId, timestamp, Buffer.from(body))}`,
    };
    const address = { host: '127.0.0.1', port: this.#options.port(), method: 'POST', agent: this.#agent };
    return new Promise((resolve, reject) => {
      const request = http.request({ ...address, headers, timeout: timeoutMs }, (answer) => {
        // The status acknowledges the delivery, even if the connection breaks afterwards.
        resolve(answer.statusCode ?? 0);
        answer.on('error', () => undefined).resume();
      });
      request.on('timeout', () => request.destroy(new Error('No answer.')));
      request.on('error', reject).end(body);
    });
  }
}
