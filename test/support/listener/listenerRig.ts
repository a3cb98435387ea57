import { mkdtempSync, rmSync } from 'node:fs';
import * as http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WholeDelivery } from '../../../src/contract/delivery.ts';
import type { BrokenOff, ListenerSettings, News, Refused } from '../../../src/deliveries/listenerProtocol.ts';
import { DeliveryStore } from '../../../src/listener/store/deliveryStore.ts';
import { DeliveryFeed } from '../../../src/listener/program/deliveryFeed.ts';
import { type SenderLimits, senderLimits } from '../../../src/listener/intake/senders.ts';
import { WebhookListener } from '../../../src/listener/intake/listener.ts';
import { sign } from '../../../src/service/signature/signature.ts';
import { defaultSecret } from './defaultSecret.ts';

export const secret = 's3cret';

export interface RigOptions {
  folder?: string;
  limits?: Partial<SenderLimits>;
}

/** A listener in this process, with its own store and a clock that the test sets. */
export class ListenerRig {
  readonly folder: string;
  readonly store: DeliveryStore;
  readonly listener: WebhookListener;
  readonly refused: Refused[] = [];
  readonly brokenOff: BrokenOff[] = [];
  readonly problems: (string | undefined)[] = [];
  readonly arrived: string[] = [];
  readonly setAside: string[] = [];
  clock = 1_790_000_000_000;
  port = 0;
  #count = 0;
  #settings: ListenerSettings = {
    secrets: [defaultSecret(secret)],
    toleranceSeconds: 300,
    acceptUnverified: false,
    isPublic: false,
    maxBodyBytes: 1 << 20,
    forwardMode: 'afterAck',
    keep: 1000,
    keepAliveSeconds: 60,
  };

  constructor({ folder = mkdtempSync(join(tmpdir(), 'runhook-')), limits }: RigOptions = {}) {
    this.folder = folder;
    this.store = new DeliveryStore({
      folder,
      keep: this.#settings.keep,
      onProblem: (problem) => this.problems.push(problem?.message),
      now: () => this.clock,
      onSetAside: (path) => this.setAside.push(path),
      onGone: (ids) => this.listener.forwardQueue.drop(ids),
      onChanged: () => undefined,
    });
    this.listener = new WebhookListener({
      store: this.store,
      now: () => this.clock,
      nextId: () => `d-${(this.#count += 1).toString()}`,
      onArrived: ({ id }) => this.arrived.push(id),
      onTurnedAway: (what) => {
        if ('status' in what) this.refused.push(what);
        else this.brokenOff.push(what);
      },
      limits: { ...senderLimits, ...limits },
    });
    this.listener.configure(this.#settings);
  }

  configure(changed: Partial<ListenerSettings>): void {
    this.#settings = { ...this.#settings, ...changed };
    this.listener.configure(this.#settings);
    this.store.keep = this.#settings.keep;
    this.store.trim();
  }

  async start(): Promise<this> {
    this.store.trim();
    this.port = await this.listener.listen(0);
    return this;
  }

  async end(): Promise<void> {
    await this.listener.close();
    this.listener.reasons.close();
    this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The headers of a delivery that is signed at the current time. */
  signed(requestId: string, body: Uint8Array | string, key = secret): Record<string, string> {
    const timestamp = Math.floor(this.clock / 1000).toString();
    return {
      'Content-Type': 'application/json',
      'X-Request-Id': requestId,
      'X-Service-Webhook-Timestamp': timestamp,
      'X-Service-Webhook-Signature': `v1,${sign(key, requestId, timestamp, Buffer.from(body))}`,
    };
  }

  /** Sends a request. Resolves to the status and the body of the answer. */
  send(
    body: Uint8Array | string,
    headers: Record<string, string | string[]>,
    { method = 'POST', path = '/' } = {},
  ): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const request = http.request(
        { host: '127.0.0.1', port: this.port, method, path, headers, agent: false },
        (answer) => {
          let text = '';
          answer
            .setEncoding('utf8')
            .on('data', (chunk: string) => (text += chunk))
            .on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
            .on('error', reject);
        },
      );
      request.on('error', reject).end(body);
    });
  }

  /** The kept deliveries, newest first. */
  list(limit = 1_000_000): WholeDelivery[] {
    return this.store
      .page({}, limit)
      .deliveries.map(({ id }) => this.listener.reasons.looked(this.store.whole(id)));
  }

  /** What a new window is told, in the order of the last change. */
  told(): News['arrived'] {
    const asToldNow = this.listener.asToldNow.bind(this.listener);
    const send = (): Promise<void> => Promise.resolve();
    return new DeliveryFeed({ store: this.store, asToldNow, after: 0, send }).next()?.arrived ?? [];
  }

  /** Sends a delivery that verifies. */
  deliver(requestId: string, body: Uint8Array | string = '{}'): Promise<{ status: number; text: string }> {
    return this.send(body, this.signed(requestId, body));
  }
}
