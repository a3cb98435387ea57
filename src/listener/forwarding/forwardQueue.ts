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

/** The id of the delivery that it repeats, or its own. */
const firstOf = ({ id, repeatOf }: QueuedDelivery): string => repeatOf ?? id;

/** One that waits for its turn. */
interface Turn {
  bytes: number;
  origin: string;
  /** Whether it is its turn; it is not where the delivery was dropped. */
  come: (isTurn: boolean) => void;
}

/** One that is under way, or waits. */
interface Pushed extends QueuedDelivery {
  to: string;
  /** With the status of the local app; undefined where it gave none. */
  done: (status: number | undefined) => void;
}

/**
 * Hands deliveries on to the local app, and a repeat only where none of those before it was taken (design:
 * section 5, "Repeats"). A repeat waits for the one before it: that may still be at a breakpoint.
 */
export class ForwardQueue {
  readonly #store: Pick<DeliveryStore, 'kept' | 'note' | 'takenStatus'>;
  readonly #own: () => ListenerPlace;
  /** All of them, by their own ids. */
  readonly #all = new Map<string, Pushed>();
  /** Those that repeat each other, by the first: one is under way, the others wait for what becomes of it. */
  readonly #lines = new Map<string, Set<Pushed>>();
  /** Those that wait for their turn, by their ids. */
  readonly #turns = new Map<string, Turn>();
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
    return this.#all.has(id);
  }

  /** Resolves with the status of the local app; undefined where it gave none. Never rejects. */
  push(delivery: QueuedDelivery, to: string): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const pushed = { ...delivery, to, done: resolve };
    this.#all.set(pushed.id, pushed);
    const line = this.#lines.get(firstOf(pushed));
    if (line === undefined) void this.#forwardLine(new Set([pushed]), firstOf(pushed));
    else line.add(pushed);
    return promise;
  }

  /** Forgets those that are not kept any more. What is being forwarded goes on. */
  drop(ids: readonly string[]): void {
    for (const pushed of ids.flatMap((id) => this.#all.get(id) ?? [])) {
      const line = this.#lines.get(firstOf(pushed));
      const [underWay] = line ?? [];
      if (pushed !== underWay) this.#leave(pushed, undefined, line);
      else this.#come(pushed.id, false);
    }
  }

  /** Breaks off what is under way. It stays as one that waits: the next program says that it was not forwarded. */
  close(): void {
    this.#ended.abort(new Error('The listener has ended.'));
    for (const id of this.#turns.keys()) this.#come(id, false);
  }

  #hasEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  async #forwardLine(line: Set<Pushed>, first: string): Promise<void> {
    this.#lines.set(first, line);
    let status: number | undefined;
    // Those that come meanwhile are at its end.
    for (const pushed of line) {
      status = await this.#handOn(pushed, status);
      this.#leave(pushed, status, line);
    }
    this.#lines.delete(first);
  }

  #leave(pushed: Pushed, status: number | undefined, line: Set<Pushed> | undefined): void {
    line?.delete(pushed);
    this.#all.delete(pushed.id);
    pushed.done(status);
  }

  /** @param before what the one before it was answered, which may not be on the disk yet */
  async #handOn(pushed: Pushed, before = 0): Promise<number | undefined> {
    const { id, repeatOf } = pushed;
    if (this.#hasEnded()) return undefined;
    const earlier = (): number | undefined =>
      repeatOf === undefined ? undefined : this.#store.takenStatus(repeatOf);
    const taken = isSuccess(before) ? before : earlier();
    // guard: a repeat is joined to the first and not forwarded again
    if (taken === undefined) return this.#forward(pushed);
    this.#store.note({ id, wasTaken: true });
    return taken;
  }

  /** Sends the delivery as it came. There is no time limit, since the app may be in a debugger. */
  async #forward({ id, bytes, to: forwardTo }: Pushed): Promise<number | undefined> {
    const origin = URL.parse(forwardTo)?.origin ?? forwardTo;
    const isTurn = await new Promise<boolean>((come) => {
      this.#turns.set(id, { bytes, origin, come });
      this.#startWaiting();
    });
    // The store is closed at the end.
    if (!isTurn || this.#hasEnded()) return undefined;
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

  /** Starts all that there is room for: a small one does not wait for a large one. */
  #startWaiting(): void {
    if (this.#hasEnded()) return;
    for (const [id, { bytes, origin }] of this.#turns) {
      if (!this.#hasRoom(bytes, origin)) continue;
      this.#count(origin, bytes, 1);
      this.#come(id, true);
    }
  }

  #come(id: string, isTurn: boolean): void {
    this.#turns.get(id)?.come(isTurn);
    this.#turns.delete(id);
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
