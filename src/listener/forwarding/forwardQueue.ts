import { attemptErrors, type Forward } from '../../model/deliveries/delivery.ts';
import { isSuccess } from '../../model/service/isSuccess.ts';
import { isListenerItself, type ListenerPlace } from '../../model/service/loopback.ts';
import { forwardUrl } from '../../model/routes/forwardUrl.ts';
import {
  type Answered,
  networkReason,
  outcomeOf,
  sendRequest,
} from '../../webhooks/deliveries/sendRequest.ts';
import type { DeliveryStore } from '../store/deliveryStore.ts';

/**
 * How many deliveries are forwarded to one upstream at a time, and how many bytes of bodies to all of them. An app may
 * sit at a breakpoint: what else goes to it waits its turn. An upstream where nothing is under way is always given one,
 * so that none is held back by another, however much that holds.
 */
const atOnce = { deliveries: 32, bytes: 64 * 1024 * 1024 };

/** A delivery that is forwarded: not its body, which must not be held while the local app takes its time. */
export interface QueuedDelivery {
  id: string;
  repeatOf: string | undefined;
  bytes: number;
}

/**
 * Hands deliveries on to the local app, and a repeat only where none of those before it was taken (design:
 * section 5, "Repeats"). A repeat waits for the one before it: that may still be at a breakpoint.
 */
export class ForwardQueue {
  readonly #store: Pick<DeliveryStore, 'kept' | 'note' | 'takenStatus'>;
  readonly #own: () => ListenerPlace;
  /** The last one under way of each that repeat each other, by the first. */
  readonly #underWay = new Map<string, Promise<number | undefined>>();
  /** Each one under way, by its own id. */
  readonly #ids = new Set<string>();
  /** Those that wait for their turn. */
  readonly #waiting: { bytes: number; origin: string; start: () => void }[] = [];
  /** How many are being forwarded, by the upstream. */
  readonly #running = new Map<string, number>();
  /** Of the bodies that are being forwarded. */
  #bytes = 0;
  readonly #ended = new AbortController();

  /** @param own where the listener is reached, to which nothing is forwarded */
  constructor(
    store: Pick<DeliveryStore, 'kept' | 'note' | 'takenStatus'>,
    own: () => ListenerPlace = () => ({}),
  ) {
    this.#store = store;
    this.#own = own;
  }

  /** Whether the delivery of that id is being forwarded, or waits for one before it. */
  isUnderWay(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Resolves with the status of the local app; undefined where it gave none. Never rejects. */
  async push({ id, repeatOf, bytes }: QueuedDelivery, to: string): Promise<number | undefined> {
    const first = repeatOf ?? id;
    const before = this.#underWay.get(first) ?? Promise.resolve(undefined);
    // What the one before it was answered may not be on the disk yet.
    const taken = (status = 0): number | undefined => {
      if (isSuccess(status)) return status;
      return repeatOf === undefined ? undefined : this.#store.takenStatus(repeatOf);
    };
    // guard: a repeat is joined to the first and not forwarded again
    const mine = before.then((status) => {
      if (this.#hasEnded()) return undefined;
      const was = taken(status);
      if (was === undefined) return this.#forward(id, bytes, to);
      this.#store.note({ id, wasTaken: true });
      return was;
    });
    this.#underWay.set(first, mine);
    this.#ids.add(id);
    try {
      return await mine;
    } finally {
      this.#ids.delete(id);
      if (this.#underWay.get(first) === mine) this.#underWay.delete(first);
    }
  }

  /** Breaks off what is under way. It stays as one that waits: the next program says that it was not forwarded. */
  close(): void {
    this.#ended.abort(new Error('The listener has ended.'));
  }

  #hasEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Sends the delivery as it came. There is no time limit, since the app may be in a debugger. */
  async #forward(id: string, bytes: number, forwardTo: string): Promise<number | undefined> {
    const origin = URL.parse(forwardTo)?.origin ?? forwardTo;
    await new Promise<void>((start) => {
      this.#waiting.push({ bytes, origin, start });
      this.#startWaiting();
    });
    // The store is closed then.
    if (this.#hasEnded()) return undefined;
    const started = performance.now();
    const forward: Forward = { to: forwardTo, durationMs: 0 };
    let answer: Answered | undefined;
    try {
      const { path, method, rawHeaders, body } = this.#store.kept(id);
      const url = forwardUrl(forwardTo, path);
      forward.to = url.href;
      // guard: nothing is forwarded to the listener itself
      if (isListenerItself(url, this.#own())) throw new Error(attemptErrors.toListener);
      const { signal } = this.#ended;
      answer = await sendRequest({ url, method, rawHeaders, body, signal });
      Object.assign(forward, outcomeOf(answer));
    } catch (error) {
      forward.error = networkReason(error);
    }
    forward.durationMs = Math.round(performance.now() - started);
    this.#count(origin, bytes, -1);
    this.#startWaiting();
    // What the end broke off stays as one that waits.
    if (this.#hasEnded()) return undefined;
    this.#store.note({ id, attempt: { kind: 'forward', ...forward }, ...(answer && { answer }) });
    return forward.status;
  }

  /** Starts the first that there is room for: a small one does not wait for a large one. */
  #startWaiting(): void {
    for (;;) {
      const at = this.#waiting.findIndex(({ bytes, origin }) => this.#hasRoom(bytes, origin));
      const [next] = at === -1 ? [] : this.#waiting.splice(at, 1);
      if (next === undefined) return;
      this.#count(next.origin, next.bytes, 1);
      next.start();
    }
  }

  #hasRoom(bytes: number, origin: string): boolean {
    const running = this.#running.get(origin) ?? 0;
    if (running >= atOnce.deliveries) return false;
    // guard: No more than 64 MB are forwarded at a time
    return running === 0 || this.#bytes === 0 || this.#bytes + bytes <= atOnce.bytes;
  }

  /** @param by 1 where one begins, -1 where it ends */
  #count(origin: string, bytes: number, by: 1 | -1): void {
    const running = (this.#running.get(origin) ?? 0) + by;
    if (running === 0) this.#running.delete(origin);
    else this.#running.set(origin, running);
    this.#bytes += by * bytes;
  }
}
