import type { DeliveryStore } from '../store/deliveryStore.ts';
import type { Forwarder } from './forwarder.ts';
import { isSuccess } from '../../model/service/isSuccess.ts';

/** A delivery that is handed on: not its body, which must not be held while the local app takes its time. */
export interface QueuedDelivery {
  id: string;
  repeatOf: string | undefined;
  /** The size of the body. */
  bytes: number;
}

/**
 * Hands deliveries on to the local app, and a repeat only where none of those before it was taken (design:
 * section 5, "Repeats"). A repeat waits for the one before it: that may still be at a breakpoint.
 */
export class ForwardQueue {
  readonly #store: DeliveryStore;
  readonly #forwarder: Forwarder;
  /** The last one under way of each that repeat each other, by the first. */
  readonly #underWay = new Map<string, Promise<number | undefined>>();
  /** Each one under way, by its own id. */
  readonly #ids = new Set<string>();

  constructor(store: DeliveryStore, forwarder: Forwarder) {
    this.#store = store;
    this.#forwarder = forwarder;
  }

  /** Whether the delivery of that id is being handed on, or waits for one before it. */
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
    // guard: a repeat is joined to the first and not handed on again
    const mine = before.then((status) => taken(status) ?? this.#forward(id, bytes, to));
    this.#underWay.set(first, mine);
    this.#ids.add(id);
    try {
      return await mine;
    } finally {
      this.#ids.delete(id);
      if (this.#underWay.get(first) === mine) this.#underWay.delete(first);
    }
  }

  async #forward(id: string, bytes: number, to: string): Promise<number | undefined> {
    const forward = await this.#forwarder.forward(to, bytes, () => this.#store.kept(id));
    this.#store.note({ id, forward });
    return forward.status;
  }
}
