import { systemClock } from '../../model/processes/clock.ts';
import type { BrokenOff, News, Refused, Upsert } from '../../model/processes/listenerProtocol.ts';
import { toDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import type { DeliveryRow } from '../store/deliveryRow.ts';
import type { DeliveryStore } from '../store/deliveryStore.ts';
import { Unkept } from './unkept.ts';

/**
 * How long news is gathered before it is told: the first after a pause, and while more keeps coming. Whoever waits for
 * an answer goes before whoever reads the news.
 */
const firstMs = 10;
const furtherMs = 40;
/** How long a store that cannot be read is left alone, in milliseconds. */
const unreadableMs = 500;
/** How many deliveries go into one message. */
const perMessage = 500;

export interface DeliveryFeedOptions {
  store: DeliveryStore;
  isForwarding: (id: string) => boolean;
  /** Up to which revision the reader was told before; undefined for all that is kept when it can be read first. */
  after: number | undefined;
  /** Tells the reader; the next message waits for it, so that one that is busy is not flooded. */
  send: (news: News) => Promise<unknown>;
}

/** What one reader is told: each delivery as it is now, whenever it changes, from its own place in the store. */
export class DeliveryFeed {
  readonly #options: DeliveryFeedOptions;
  #place: number | undefined;
  readonly #unkept = new Unkept(systemClock, () => this.#start(firstMs));
  #isBusy = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DeliveryFeedOptions) {
    this.#options = options;
    this.#place = options.after;
  }

  /** Up to which revision the reader was told; undefined where that is not known yet. */
  get place(): number | undefined {
    return this.#place;
  }

  /** Something was added or changed. */
  changed(): void {
    this.#start(firstMs);
  }

  refused(refused: Refused): void {
    this.#unkept.add('refused', refused);
  }

  brokenOff(brokenOff: BrokenOff): void {
    this.#unkept.add('brokenOff', brokenOff);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#unkept.close();
  }

  /** What has come since the reader was told last, as much as goes into one message; undefined where nothing has. */
  next(): News | undefined {
    const { store } = this.#options;
    const { revision } = store;
    // One that cannot be read now is told of with a later turn.
    if (revision === undefined) return undefined;
    const before = this.#place ?? revision;
    // A store that was made anew begins to count anew.
    const place = revision < before ? 0 : before;
    this.#place = place;
    const rows = store.changedAfter(place, perMessage);
    const unkept = this.#unkept.take();
    if (rows.length === 0 && unkept === undefined) return undefined;
    const upserts = rows.map((row) => this.#upsert(row, place));
    this.#place = rows.at(-1)?.revision ?? place;
    return { upserts, revision: this.#place, refused: [], brokenOff: [], untold: 0, ...unkept };
  }

  #start(afterMs: number): void {
    if (this.#isBusy || this.#isClosed) return;
    this.#isBusy = true;
    this.#timer = setTimeout(() => void this.#tell(), afterMs);
  }

  async #tell(): Promise<void> {
    try {
      const news = this.next();
      if (news !== undefined) await this.#options.send(news);
    } catch {
      // The reader has gone, and its feed with it; or the store is out of reach, which is told elsewhere.
    } finally {
      this.#isBusy = false;
      // Whoever has ended has closed the store: to look into it would open it again.
      if (!this.#isClosed) this.#goOn();
    }
  }

  /** Tells what has come meanwhile; where all is told, nothing needs to be kept for that any longer. */
  #goOn(): void {
    const { store } = this.#options;
    const { revision } = store;
    if (revision === undefined) this.#start(unreadableMs);
    else if (revision > (this.#place ?? -1) || this.#unkept.isUntold) this.#start(furtherMs);
    else store.trim();
  }

  /** @param place up to which revision the reader was told before */
  #upsert(row: DeliveryRow, place: number): Upsert {
    const { kept, known, arrivedRevision, judgedRevision, runStartedAt } = row;
    const { store, isForwarding } = this.#options;
    const { id, repeatOf } = kept;
    const wasTaken =
      (known.attempts ?? []).length === 0 &&
      repeatOf !== undefined &&
      store.takenStatus(repeatOf) !== undefined;
    return {
      delivery: toDelivery(kept, known),
      isNew: arrivedRevision > place,
      isJudged: judgedRevision > place,
      ...(runStartedAt !== undefined && { sinceRunMs: Math.max(0, kept.receivedAt - runStartedAt) }),
      ...(isForwarding(id) && { isForwarding: true as const }),
      ...(wasTaken && { wasTaken }),
    };
  }
}
