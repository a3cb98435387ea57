import type { Remote } from '../../deliveries/localTls.ts';
import { attemptErrors, type Forward } from '../../contract/delivery.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import { isListenerItself, type ListenerPlace } from '../../shared/http/loopback.ts';
import { forwardUrl } from '../../deliveries/routes/routes.ts';
import { type Answered, networkReason, outcomeOf, sendRequest } from '../../deliveries/sendRequest.ts';
import { leadsToListener } from './leadsToListener.ts';
import type { DeliveryStore } from '../store/deliveryStore.ts';
import { SecretMask } from '../../shared/masking/secretMask.ts';

/**
 * Limits on forwards in flight: `deliveries` per upstream, `bytes` of bodies over all upstreams. An app may sit at a
 * breakpoint, so further deliveries to it are queued. An idle upstream always gets one delivery, whatever the other
 * upstreams hold, so no upstream blocks another.
 */
const atOnce = { deliveries: 32, bytes: 64 * 1024 * 1024 };

/** A delivery to forward, without its body: the body must not stay in memory while the local app is slow. */
export interface QueuedDelivery {
  id: string;
  repeatOf: string | undefined;
  bytes: number;
}

/** The id of the delivery that this one repeats, or its own id. */
const firstOf = ({ id, repeatOf }: QueuedDelivery): string => repeatOf ?? id;

/** A delivery that waits for room in the limits. */
interface WaitingForward {
  bytes: number;
  origin: string;
  /** Ends the wait: true to forward now, false when the delivery was dropped or the queue closed. */
  come: (isTurn: boolean) => void;
}

/** What decides on the way of each forward. */
export interface ForwardWay extends ListenerPlace {
  acceptLocalCertificates?: boolean;
  /** Of the secrets that are held. */
  mask?: SecretMask;
}

/** A delivery that is queued or in flight. */
interface QueuedForward extends QueuedDelivery {
  to: string;
  /** Called with the local app's status; undefined when there was none. */
  done: (status: number | undefined) => void;
}

/**
 * Forwards deliveries to the local app. A repeat is forwarded only if the app took none of the deliveries before it
 * (design: section 5, "Repeats"). A repeat waits for the previous one, which may still be at a breakpoint.
 */
export class ForwardQueue {
  readonly #store: Pick<DeliveryStore, 'kept' | 'note' | 'acceptedStatus'>;
  readonly #way: () => ForwardWay;
  /** All queued and in-flight deliveries, keyed by id. */
  readonly #byId = new Map<string, QueuedForward>();
  /** Repeats of one delivery, keyed by the first one's id. One is in flight, the rest wait for its result. */
  readonly #repeatLines = new Map<string, Set<QueuedForward>>();
  /** Deliveries that wait for room in the limits, keyed by id. */
  readonly #waiting = new Map<string, WaitingForward>();
  /** The number of forwards in flight, keyed by upstream origin. */
  readonly #running = new Map<string, number>();
  /** Total size of the bodies in flight. */
  #bytesInFlight = 0;
  readonly #closing = new AbortController();

  constructor(
    store: Pick<DeliveryStore, 'kept' | 'note' | 'acceptedStatus'>,
    way: () => ForwardWay = () => ({}),
  ) {
    this.#store = store;
    this.#way = way;
  }

  /** Whether the delivery with this id is queued or in flight. */
  isUnderWay(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Resolves with the local app's status; undefined when there was none. Never rejects. */
  push(delivery: QueuedDelivery, to: string): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const pushed = { ...delivery, to, done: resolve };
    this.#byId.set(pushed.id, pushed);
    const line = this.#repeatLines.get(firstOf(pushed));
    if (line === undefined) void this.#forwardLine(new Set([pushed]), firstOf(pushed));
    else line.add(pushed);
    return promise;
  }

  /** Drops queued deliveries that the store has deleted. A forward in flight continues. */
  drop(ids: readonly string[]): void {
    for (const pushed of ids.flatMap((id) => this.#byId.get(id) ?? [])) {
      const line = this.#repeatLines.get(firstOf(pushed));
      const [head] = line ?? [];
      if (pushed !== head) this.#finish(pushed, undefined, line);
      else this.#endWait(pushed.id, false);
    }
  }

  /** Aborts the forwards in flight. The store keeps them as waiting: the next program notes that they failed. */
  close(): void {
    this.#closing.abort(new Error('The listener has ended.'));
    for (const id of this.#waiting.keys()) this.#endWait(id, false);
  }

  isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #forwardLine(line: Set<QueuedForward>, first: string): Promise<void> {
    this.#repeatLines.set(first, line);
    let status: number | undefined;
    // The loop also visits repeats that are added to the set meanwhile.
    for (const pushed of line) {
      status = await this.#forwardUnlessTaken(pushed, status);
      this.#finish(pushed, status, line);
    }
    this.#repeatLines.delete(first);
  }

  #finish(pushed: QueuedForward, status: number | undefined, line: Set<QueuedForward> | undefined): void {
    line?.delete(pushed);
    this.#byId.delete(pushed.id);
    pushed.done(status);
  }

  /** @param previousStatus the app's status for the previous repeat, which may not be on the disk yet */
  async #forwardUnlessTaken(pushed: QueuedForward, previousStatus = 0): Promise<number | undefined> {
    const { id, repeatOf } = pushed;
    if (this.isClosed()) return undefined;
    const earlier = (): number | undefined =>
      repeatOf === undefined ? undefined : this.#store.acceptedStatus(repeatOf);
    const taken = isSuccess(previousStatus) ? previousStatus : earlier();
    // guard S5: A repeat is joined to the first delivery and not forwarded again.
    if (taken === undefined) return this.#forward(pushed);
    this.#store.note({ id, wasTaken: true });
    return taken;
  }

  /** Forwards the delivery unchanged. There is no timeout, since the app may be stopped in a debugger. */
  async #forward(queued: QueuedForward): Promise<number | undefined> {
    const { id, bytes, to: forwardTo } = queued;
    const origin = URL.parse(forwardTo)?.origin ?? forwardTo;
    const isTurn = await new Promise<boolean>((resolve) => {
      this.#waiting.set(id, { bytes, origin, come: resolve });
      this.#startWaiting();
    });
    // Once the queue is closed, the store is closed too.
    if (!isTurn || this.isClosed()) return undefined;
    const started = performance.now();
    const forward: Forward = { to: forwardTo, durationMs: 0 };
    let answer: Answered | undefined;
    try {
      const kept = this.#store.kept(id);
      const { method, rawHeaders, body } = kept;
      const url = forwardUrl(forwardTo, kept.firstPath ?? kept.path);
      forward.to = url.href;
      const way = this.#way();
      if (isListenerItself(url, way)) throw new Error(attemptErrors.toListener);
      const onConnected = (remote: Remote): void => {
        // guard S17: Nothing is forwarded to the listener itself.
        if (leadsToListener(remote, this.#way().port)) throw new Error(attemptErrors.toListener);
      };
      const { signal } = this.#closing;
      const { acceptLocalCertificates = false, mask = new SecretMask([]) } = way;
      answer = await sendRequest({
        ...{ url, method, rawHeaders, body, signal },
        ...{ onConnected, acceptLocalCertificates },
      });
      Object.assign(forward, outcomeOf(answer, mask));
    } catch (error) {
      forward.error = networkReason(error);
    }
    forward.durationMs = Math.round(performance.now() - started);
    this.#count(origin, bytes, -1);
    this.#startWaiting();
    // A forward that close() aborted stays marked as waiting in the store.
    if (this.isClosed()) return undefined;
    const attempt = { kind: 'forward' as const, ...forward };
    this.#store.note({ id, first: firstOf(queued), attempt, ...(answer && { answer }) });
    return forward.status;
  }

  /** Starts every waiting delivery that fits, so a small one does not wait behind a large one. */
  #startWaiting(): void {
    if (this.isClosed()) return;
    for (const [id, { bytes, origin }] of this.#waiting) {
      if (!this.#hasRoom(bytes, origin)) continue;
      this.#count(origin, bytes, 1);
      this.#endWait(id, true);
    }
  }

  #endWait(id: string, isTurn: boolean): void {
    this.#waiting.get(id)?.come(isTurn);
    this.#waiting.delete(id);
  }

  #hasRoom(bytes: number, origin: string): boolean {
    const running = this.#running.get(origin) ?? 0;
    if (running >= atOnce.deliveries) return false;
    // guard S16: At most 64 MB are forwarded at a time.
    return running === 0 || this.#bytesInFlight === 0 || this.#bytesInFlight + bytes <= atOnce.bytes;
  }

  /** @param by 1 when a forward starts, -1 when it ends */
  #count(origin: string, bytes: number, by: 1 | -1): void {
    const running = (this.#running.get(origin) ?? 0) + by;
    if (running === 0) this.#running.delete(origin);
    else this.#running.set(origin, running);
    this.#bytesInFlight += by * bytes;
  }
}
