import type { KeptDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import { runIdOf } from '../../webhooks/deliveries/runIdOf.ts';
import type { Settled } from './deliveryTable.ts';
import type { OpenStore } from './storeFile.ts';

/** How many deliveries are settled in one go: when somebody waits for them, and when not. Responses wait meanwhile. */
const batchSize = 100;
const fewAtOnce = 5;
/** How long after a change they are settled if nobody asked before, and the pause between two goes. In ms. */
const settlesAfterMs = 100;
const pauseMs = 10;

type ReasonFor = (delivery: KeptDelivery) => string | undefined;

export interface SettlingOptions {
  /** Undefined if the store cannot be read. */
  read: <T>(work: (store: OpenStore) => T) => T | undefined;
  /** Returns whether the work could be written. */
  write: (work: (store: OpenStore) => void) => boolean;
  reasonFor: ReasonFor;
  /** Called when deliveries were settled that nobody had asked for. */
  onSettled: () => void;
}

/** Settles new deliveries: determines what the response did not need, which is the run, and why it did not verify. */
export class Settling {
  readonly #options: SettlingOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  /** Settles all new deliveries now: somebody is about to read them. */
  all(): void {
    let first: number | undefined;
    do {
      const before = first;
      first = this.#some(batchSize);
      // On a broken disk one may stay unsettled, whatever was written.
      if (first === before) return;
    } while (first !== undefined);
  }

  /** Settles them a few at a time, so that they are not many when somebody asks. Call this when some were added. */
  later(ms = settlesAfterMs): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#some(fewAtOnce) === undefined) return;
      this.#options.onSettled();
      this.later(pauseMs);
    }, ms).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** @returns the seq of the first that was settled; undefined if none was */
  #some(most: number): number | undefined {
    const { read, write, reasonFor } = this.#options;
    const rows = read(({ table }) => table.unsettled(most)) ?? [];
    const first = rows[0]?.seq;
    if (first === undefined) return undefined;
    const isWritten = write(({ table }) => {
      for (const { seq, kept } of rows) table.settle(seq, settledOf(kept, reasonFor));
    });
    return isWritten ? first : undefined;
  }
}

export function settledOf(delivery: KeptDelivery, reasonFor: ReasonFor): Settled {
  return { runId: runIdOf(delivery.body), reason: delivery.reason ?? reasonFor(delivery) };
}
