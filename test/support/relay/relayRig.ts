import {
  newRelayKey,
  type OpenedChannel,
  type RelayedDelivery,
} from '../../../src/deliveries/relayProtocol.ts';
import { type EngineLimits, engineLimits } from '../../../src/relay/engine.ts';
import { Relay, type RelayLogEntry, type RelayOptions } from '../../../src/relay/relay.ts';
import { waitFor } from '../time/waitFor.ts';

/** A relay in this process, with the log that it has written. */
export interface RunningRelay {
  relay: Relay;
  url: string;
  log: RelayLogEntry[];
}

/** Starts a relay, and waits until its engine is there. */
export async function startRelay(
  nats: readonly string[],
  options: Partial<Omit<RelayOptions, 'limits'>> & { limits?: Partial<EngineLimits> } = {},
): Promise<RunningRelay> {
  const log: RelayLogEntry[] = [];
  const relay = await Relay.start({
    ...{ nats, replicas: 1, host: '127.0.0.1', port: 0 },
    log: (entry) => void log.push(entry),
    ...options,
    limits: { ...engineLimits, ...options.limits },
  });
  const url = `http://127.0.0.1:${relay.port}`;
  await waitFor('the engine', async () => (await fetch(`${url}/healthz`)).status === 200);
  return { relay, url, log };
}

/** A channel of a relay, as its owner and the service use it. */
export class TestChannel {
  readonly url: string;
  readonly key: string;
  address = '';

  constructor(url: string, key = newRelayKey()) {
    this.url = url;
    this.key = key;
  }

  static async open(url: string): Promise<TestChannel> {
    const channel = new TestChannel(url);
    await channel.open();
    return channel;
  }

  async open(headers: Record<string, string> = {}): Promise<number> {
    const response = await this.call('PUT', '/v1/channel', { headers });
    if (response.status === 200) this.address = ((await response.json()) as OpenedChannel).address;
    return response.status;
  }

  call(
    method: string,
    path: string,
    { headers, body, signal }: { headers?: Record<string, string>; body?: string; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const authorization = `Bearer ${this.key}`;
    return fetch(`${this.url}${path}`, { method, headers: { authorization, ...headers }, body, signal });
  }

  /** What the service gets: the status, or undefined if the connection was closed without an answer. */
  async post(body: string | Uint8Array<ArrayBuffer>, path = '', headers: Record<string, string> = {}) {
    try {
      const response = await fetch(`${this.address}${path}`, { method: 'POST', body, headers });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return undefined;
    }
  }

  /** Reads so many deliveries, and leaves. */
  async read(count: number, { acknowledges = true } = {}): Promise<RelayedDelivery[]> {
    const leave = new AbortController();
    const read: RelayedDelivery[] = [];
    for await (const line of this.lines(leave.signal)) {
      if (!('seq' in line)) continue;
      read.push(line as RelayedDelivery);
      if (read.length === count) break;
    }
    if (acknowledges) await this.acknowledge(read.map(({ seq }) => seq));
    leave.abort();
    return read;
  }

  async acknowledge(seqs: readonly number[]): Promise<void> {
    const { status } = await this.call('POST', '/v1/acks', { body: JSON.stringify({ seqs }) });
    if (status !== 204) throw new Error(`The acknowledgement got ${status}.`);
  }

  /** Reads until it leaves. */
  async readAll(signal: AbortSignal, heard: (delivery: RelayedDelivery) => void): Promise<void> {
    try {
      for await (const line of this.lines(signal)) if ('seq' in line) heard(line as RelayedDelivery);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** The lines of the reader's stream. */
  async *lines(signal: AbortSignal): AsyncGenerator<object> {
    const { body } = await this.call('GET', '/v1/deliveries', { signal });
    if (body === null) return;
    let pieces: string[] = [];
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const [rest = '', ...lines] = text.split('\n');
      pieces.push(rest);
      for (const next of lines) {
        yield JSON.parse(pieces.join('')) as object;
        pieces = [next];
      }
    }
  }
}

/** The body of a delivery as text. */
export function textOf({ body }: RelayedDelivery): string {
  return Buffer.from(body, 'base64').toString();
}
