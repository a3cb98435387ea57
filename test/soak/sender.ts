import * as http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { sign } from '../../src/webhooks/signature/signature.ts';
import type { Random } from '../support/random.ts';

const attempts = 3;
const timeoutMs = 5000;
/** Part of what was acknowledged that is sent once more: a success that the service did not get to read. */
const repeated = 0.05;

export interface SenderOptions {
  secret: string;
  random: Random;
  /** Where to send the next attempt. */
  port: () => number;
  /** Statuses that may come besides 200. */
  allowed: ReadonlySet<number>;
  onFailure: (failure: string) => void;
}

/** Sends deliveries as the service does, and remembers what was acknowledged. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #agent = new http.Agent({ keepAlive: true, maxFreeSockets: 4 });
  /** The bodies that were acknowledged, by request id. */
  readonly acknowledged = new Map<string, string>();
  sent = 0;
  /** What was sent before counts as never acknowledged. */
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

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#connections);
    this.#agent.destroy();
  }

  /** What was acknowledged up to now is gone, and that was meant. */
  forget(): void {
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
      if (this.acknowledged.has(requestId) && random.next() < repeated) await this.deliver(requestId, body);
      await pause(random.whole(0, 30));
    }
  }

  /** At most three attempts, and a further one after a network error alone (service-interface.md, section 6). */
  async deliver(requestId: string, body: string): Promise<void> {
    const { random, allowed, onFailure } = this.#options;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
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
        // The status is the acknowledgement: it counts though the connection may break right after it.
        resolve(answer.statusCode ?? 0);
        answer.on('error', () => undefined).resume();
      });
      request.on('timeout', () => request.destroy(new Error('No answer.')));
      request.on('error', reject).end(body);
    });
  }
}
