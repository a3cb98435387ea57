import type { Delivery } from '../model/delivery.ts';
import type { Arrival, News, Refused } from '../model/listenerProtocol.ts';

/**
 * How long news is gathered before it is told: the first after a pause, while more keeps coming, and while more
 * comes than can be told. Whoever waits for an answer goes before whoever reads the news.
 */
const firstMs = 10;
const furtherMs = 40;
const floodMs = 200;
/** How many deliveries go into one message, and how long they may be worked on at once: answers wait meanwhile. */
const perMessage = 500;
const workMs = 8;
/** How many turned-away requests are remembered while the host is busy; they are not kept anywhere. */
const refusedRemembered = 1000;

export interface OutboxOptions {
  arrival: (id: string) => Arrival | undefined;
  delivery: (id: string) => Delivery | undefined;
  /** How many of all that are kept did not verify. */
  unverified: () => number;
  /** Tells the host; the next message waits for the reply, so that a host that is busy is not flooded. */
  send: (news: News) => Promise<unknown>;
}

/** News for the host: ids until it is told, so that what waits takes no memory to speak of. */
export class Outbox {
  readonly #options: OutboxOptions;
  #arrived: string[] = [];
  readonly #changed = new Set<string>();
  #refused: Refused[] = [];
  #busy = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  /** How many have arrived since the last message. */
  #since = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  arrived(id: string): void {
    this.#arrived.push(id);
    this.#since += 1;
    this.#start();
  }

  changed(id: string): void {
    this.#changed.add(id);
    this.#start();
  }

  refused(refused: Refused): void {
    if (this.#refused.length < refusedRemembered) this.#refused.push(refused);
    this.#start();
  }

  /** Tells no more: what would have to be read for it is closed. The next session finds it in the journal. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #start(afterMs = firstMs): void {
    if (this.#busy || this.#isClosed) return;
    this.#busy = true;
    this.#timer = setTimeout(() => void this.#tell(), afterMs);
  }

  async #tell(): Promise<void> {
    const isFlood = this.#since > perMessage;
    this.#since = 0;
    const arrivals = this.#nextArrivals();
    const told = new Set(arrivals.map(({ delivery }) => delivery.id));
    const waiting = new Set(this.#arrived);
    const changed = [...this.#changed].filter((id) => !told.has(id) && !waiting.has(id)).slice(0, perMessage);
    for (const id of [...told, ...changed]) this.#changed.delete(id);
    const news = {
      arrivals,
      changed: changed.flatMap((id) => readable(() => this.#options.delivery(id)) ?? []),
      refused: this.#refused.splice(0),
      unverified: this.#options.unverified(),
    };
    try {
      await this.#options.send(news);
    } finally {
      this.#busy = false;
      const isMore = this.#arrived.length > 0 || this.#changed.size > 0 || this.#refused.length > 0;
      if (isMore) this.#start(isFlood ? floodMs : furtherMs);
    }
  }

  #nextArrivals(): Arrival[] {
    const until = performance.now() + workMs;
    const arrivals: Arrival[] = [];
    let count = 0;
    for (const id of this.#arrived) {
      if (count === perMessage || performance.now() > until) break;
      const arrival = readable(() => this.#options.arrival(id));
      if (arrival !== undefined) arrivals.push(arrival);
      count += 1;
    }
    this.#arrived.splice(0, count);
    return arrivals;
  }
}

/** Undefined where the record has become unreadable: that must not keep the others from being told. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
