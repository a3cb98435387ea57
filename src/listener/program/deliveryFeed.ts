import { type Clock, systemClock } from '../../shared/async/clock.ts';
import type { Delivery } from '../../contract/delivery.ts';
import type { BrokenOff, News, Refused } from '../../deliveries/listenerProtocol.ts';
import type { ChangedDelivery } from '../store/deliveryRow.ts';
import type { DeliveryStore } from '../store/deliveryStore.ts';

/**
 * How long changes are batched before they are sent, in milliseconds: the first after a pause, and while more keep
 * coming. Answering requests takes priority over sending news to windows.
 */
const firstMs = 10;
const furtherMs = 40;
/** How long to wait before retrying a store that cannot be read, in milliseconds. */
const unreadableMs = 500;
/** How many deliveries go into one message. */
const perMessage = 1000;

export interface DeliveryFeedOptions {
  store: DeliveryStore;
  /** Adds what of a delivery holds at this moment alone. */
  asToldNow: (delivery: Delivery) => Delivery;
  /** Called before deliveries are told: finds out why some did not verify. */
  explain?: () => void;
  /** The revision that the reader is up to date with; undefined for the one found at the first successful read. */
  after: number | undefined;
  /** Sends to the reader. The next message waits for it, so that a busy reader is not flooded. */
  send: (news: News) => Promise<unknown>;
}

/** Sends one reader each changed delivery in its current state, starting from the reader's own revision. */
export class DeliveryFeed {
  readonly #options: DeliveryFeedOptions;
  /** The revisions up to which the reader was sent changes, and up to which it has taken them. */
  #place: number | undefined;
  #taken: number | undefined;
  /** What was refused or cut off is told through it. */
  readonly unkept = new Unkept(systemClock, () => this.#start(firstMs));
  #isBusy = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DeliveryFeedOptions) {
    this.#options = options;
    this.#place = this.#taken = options.after;
  }

  /** The revision up to which the reader has taken changes; undefined if not known yet. */
  get place(): number | undefined {
    return this.#taken;
  }

  /** Call this when a delivery was added or changed. */
  changed(): void {
    this.#start(firstMs);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.unkept.close();
  }

  /** Sends all that has changed so far, and then nothing more. */
  async sendLast(): Promise<void> {
    this.close();
    for (let news = this.next(); news !== undefined; news = this.next()) await this.#options.send(news);
  }

  /** What has changed since the last message, as much as fits into one; undefined if nothing has. */
  next(): News | undefined {
    const { store, asToldNow, explain } = this.#options;
    explain?.();
    const { revision } = store;
    // The store cannot be read now: a later turn tries again.
    if (revision === undefined) return undefined;
    const lastPlace = this.#place ?? revision;
    // A store that was recreated counts revisions from 0 again.
    const place = revision < lastPlace ? 0 : lastPlace;
    const all = store.changedAfter(place, perMessage);
    // What changed last may be gone: without more, all is told up to the revision of the store.
    const last = all.length < perMessage ? undefined : all.at(-1);
    this.#place = last?.revision ?? Math.max(revision, place);
    const unkept = this.unkept.take();
    if (all.length === 0 && unkept === undefined) return undefined;
    const told = (these: readonly ChangedDelivery[]): Delivery[] =>
      these.map(({ delivery }) => asToldNow(delivery));
    const isNew = (one: ChangedDelivery): boolean => one.arrivedRevision > place;
    // In the order in which they came, whatever was noted of them since.
    const inOrder = all.filter(isNew).sort((one, other) => one.arrivedRevision - other.arrivedRevision);
    const [arrived, changed] = [told(inOrder), told(all.filter((one) => !isNew(one)))];
    return { arrived, changed, revision: this.#place, refused: [], brokenOff: [], overflow: 0, ...unkept };
  }

  #start(afterMs: number): void {
    if (this.#isBusy || this.#isClosed) return;
    this.#isBusy = true;
    this.#timer = setTimeout(() => void this.#sendNext(), afterMs);
  }

  async #sendNext(): Promise<void> {
    try {
      const news = this.next();
      if (news !== undefined) await this.#options.send(news);
      this.#taken = this.#place;
    } catch {
      // The reader disconnected, which closes its feed; or the store cannot be read, which is reported elsewhere.
    } finally {
      this.#isBusy = false;
      // Once the program ends, the store is closed: reading it would open it again.
      if (!this.#isClosed) this.#continue();
    }
  }

  /** Schedules the next message if there is more to send. Otherwise trims the store, which had kept unsent ones. */
  #continue(): void {
    const { store } = this.#options;
    const { revision } = store;
    if (revision === undefined) this.#start(unreadableMs);
    else if (revision > (this.#place ?? -1) || this.unkept.hasNews) this.#start(furtherMs);
    else store.trim();
  }
}

/** How many requests per minute are reported in detail; the rest are only counted. Anybody can cause them. */
const mostAMinute = 20;
const minuteMs = 60_000;

type Told = Pick<News, 'refused' | 'brokenOff' | 'overflow'>;

/** Refused and cut-off requests that a window has not been told of yet. They are not stored anywhere else. */
export class Unkept {
  readonly #clock: Clock;
  readonly #onNews: () => void;
  #next: Told = nothing();
  #remaining = mostAMinute;
  /** How many requests beyond the limit arrived in the current minute. */
  #overLimit = 0;
  #stopMinute: (() => void) | undefined;

  /** @param onNews called when there is something to report */
  constructor(clock: Clock, onNews: () => void) {
    this.#clock = clock;
    this.#onNews = onNews;
  }

  get hasNews(): boolean {
    return this.#lines + this.#next.overflow > 0;
  }

  get #lines(): number {
    return this.#next.refused.length + this.#next.brokenOff.length;
  }

  add(one: Refused | BrokenOff): void {
    this.#stopMinute ??= this.#clock.after(minuteMs, () => this.#endMinute());
    // guard S20: A flood of requests that are not kept is reported in few lines.
    if (this.#remaining === 0 || this.#lines === mostAMinute) {
      this.#overLimit += 1;
      return;
    }
    this.#remaining -= 1;
    if ('status' in one) this.#next.refused.push(one);
    else this.#next.brokenOff.push(one);
    this.#onNews();
  }

  /** Returns what is to be reported, and forgets it; undefined if there is nothing. */
  take(): Told | undefined {
    const told = this.hasNews ? this.#next : undefined;
    this.#next = nothing();
    return told;
  }

  /** Stops reporting. */
  close(): void {
    this.#stopMinute?.();
    this.#stopMinute = () => undefined;
  }

  #endMinute(): void {
    this.#stopMinute = undefined;
    this.#remaining = mostAMinute;
    this.#next.overflow += this.#overLimit;
    this.#overLimit = 0;
    if (this.hasNews) this.#onNews();
  }
}

function nothing(): Told {
  return { refused: [], brokenOff: [], overflow: 0 };
}
