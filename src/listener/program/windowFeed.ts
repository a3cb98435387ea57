import type { News, Refused } from '../../model/processes/listenerProtocol.ts';
import type { DeliveryStore } from '../store/deliveryStore.ts';
import { upsertOf } from '../store/upsertOf.ts';

/**
 * How long news is gathered before it is told: the first after a pause, and while more keeps coming. Whoever waits for
 * an answer goes before whoever reads the news.
 */
const firstMs = 10;
const furtherMs = 40;
/** How many deliveries go into one message, and how long the rest of a flood is gathered for the next. */
const perMessage = 500;
const floodMs = 200;
/** How many turned-away requests are remembered while the window is busy; they are kept nowhere. */
const refusedRemembered = 1000;

export interface WindowFeedOptions {
  store: DeliveryStore;
  isHandingOn: (id: string) => boolean;
  /** Up to which revision the window was told before. */
  after: number;
  /** Tells the window; the next message waits for the reply, so that one that is busy is not flooded. */
  send: (news: News) => Promise<unknown>;
}

/** What one window is told: each delivery as it is now, whenever it changes, from the window's own place in the store. */
export class WindowFeed {
  readonly #options: WindowFeedOptions;
  #place: number;
  #refused: Refused[] = [];
  #isBusy = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WindowFeedOptions) {
    this.#options = options;
    this.#place = options.after;
  }

  /** Up to which revision the window was told. */
  get place(): number {
    return this.#place;
  }

  /** Something was added or changed. */
  changed(): void {
    this.#start(firstMs);
  }

  refused(refused: Refused): void {
    if (this.#refused.length < refusedRemembered) this.#refused.push(refused);
    this.#start(firstMs);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #start(afterMs: number): void {
    if (this.#isBusy || this.#isClosed) return;
    this.#isBusy = true;
    this.#timer = setTimeout(() => void this.#tell(), afterMs);
  }

  async #tell(): Promise<void> {
    const { store, isHandingOn, send } = this.#options;
    let isFlood = false;
    try {
      // A store that was made anew begins to count anew.
      if (store.revision < this.#place) this.#place = 0;
      const rows = store.changedAfter(this.#place, perMessage);
      isFlood = rows.length >= perMessage;
      const revision = rows.at(-1)?.revision ?? this.#place;
      const refused = this.#refused.splice(0);
      if (rows.length > 0 || refused.length > 0) {
        const upserts = rows.map((row) => upsertOf(row, this.#place, store, isHandingOn));
        this.#place = revision;
        await send({ upserts, revision, refused, unverified: store.unverified });
      }
    } catch {
      // The window has gone, and its feed with it; or the store is out of reach, which is told elsewhere.
    } finally {
      this.#isBusy = false;
      // Whoever has ended has closed the store: to look into it would open it again.
      if (!this.#isClosed) this.#goOn(isFlood);
    }
  }

  /** Tells what has come meanwhile; where all is told, nothing needs to be kept for that any longer. */
  #goOn(isFlood: boolean): void {
    const { store } = this.#options;
    const left = store.revision - this.#place;
    // Where a whole message is there already, nothing is gathered by waiting.
    if (left > 0 || this.#refused.length > 0) {
      this.#start(isFlood && left < perMessage ? floodMs : furtherMs);
    } else if (store.isOverfull) {
      store.trim();
    }
  }
}

/** The revision up to which all of them were told; undefined where there is none. */
export function toldUpTo(feeds: readonly WindowFeed[]): number | undefined {
  return feeds.length === 0 ? undefined : Math.min(...feeds.map(({ place }) => place));
}
