import type { Verdict } from '../../contract/delivery.ts';
import { type BudgetLimits, WorkBudget } from '../../shared/async/workBudget.ts';
import type { KeptDelivery } from '../../deliveries/keptDelivery.ts';
import { runIdOf } from '../../deliveries/runIdOf.ts';
import type { DeliveryStore } from '../store/deliveryStore.ts';

/** How many reasons are searched for in one go: when somebody waits for them, and when not. Responses wait meanwhile. */
const fewAtOnce = 5;
/** A search takes several milliseconds where many secrets are held. */
const oneAtOnce = 1;
/** How long after a delivery came its reason is searched for if nobody asked before, and the pause between two. In ms. */
const searchesAfterMs = 100;
const pauseMs = 10;

/**
 * How much of the time the search may take while nobody asks for a reason, which is a fifth of any second: whoever
 * posts forgeries decides how many there are, and each search takes many times as long as the check of its signature.
 */
const inPassing: BudgetLimits = { share: 0.1, most: 100 };
/** How long all searches for one list may take, in milliseconds; one is made in each turn. */
const forList: BudgetLimits = { share: 0, most: 2000 };
/** How many deliveries wait for the search. Those beyond are searched once somebody looks at them. */
const mostWaiting = 1000;

/** The verdicts whose reason takes a search. That of the others is known at once. */
const searched: readonly Verdict[] = ['mismatch', 'malformed'];

export interface ReasonsOptions {
  store: Pick<DeliveryStore, 'kept' | 'note' | 'unexplained'>;
  /** Why a delivery does not verify; undefined if there is nothing to say. */
  reasonFor: (delivery: KeptDelivery) => string | undefined;
  /** Stands in for time and processor time of searches, in milliseconds. It never goes back. */
  workClock?: () => number;
}

/** Whether the reason of a delivery has to be searched for, and was not yet. */
export function isUnexplained({ verdict, reason }: Pick<KeptDelivery, 'verdict' | 'reason'>): boolean {
  return reason === undefined && searched.includes(verdict);
}

/** Finds out why deliveries do not verify, after they were answered, and notes it with them. */
export class Reasons {
  readonly #options: ReasonsOptions;
  readonly #clock: () => number;
  readonly #effort: () => number;
  readonly #budget: WorkBudget;
  /** The ids of deliveries whose reason is to be searched for; the last one is next. */
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ReasonsOptions) {
    this.#options = options;
    this.#clock = options.workClock ?? (() => performance.now());
    this.#effort = options.workClock ?? processorMs;
    this.#budget = new WorkBudget(this.#clock, inPassing, this.#effort);
  }

  /** Call this for a delivery that was stored without its reason. */
  add(id: string): void {
    this.#waiting.push(id);
    if (this.#waiting.length > 2 * mostWaiting) this.#waiting = this.#waiting.slice(-mostWaiting);
    this.#later(searchesAfterMs);
  }

  /** Somebody is about to read the newest deliveries: finds some reasons now, as far as there is time for it. */
  findSome(): void {
    this.#search(fewAtOnce);
  }

  /** Somebody looks at a page of deliveries, newest first: their reasons are searched for next. */
  listed(deliveries: readonly Pick<KeptDelivery, 'id' | 'verdict' | 'reason'>[]): void {
    const ids = deliveries.filter(isUnexplained).map(({ id }) => id);
    if (ids.length === 0 || this.#isClosed) return;
    this.#waiting = [...new Set([...ids, ...this.#waiting.reverse()])].slice(0, mostWaiting).reverse();
    this.#later(searchesAfterMs);
  }

  /** Somebody looks at one delivery. @returns it with its reason */
  looked<D extends Pick<KeptDelivery, 'id' | 'verdict' | 'reason'>>(delivery: D): D {
    if (!isUnexplained(delivery)) return delivery;
    const reason = this.#find(delivery.id);
    return reason === undefined ? delivery : { ...delivery, reason };
  }

  /** Somebody is about to read the newest deliveries: finds their reasons, until it takes too long. */
  async findNewest(limit: number): Promise<void> {
    const budget = new WorkBudget(this.#clock, forList, this.#effort);
    for (const id of this.#options.store.unexplained(limit)) {
      if (this.#isClosed || !budget.isLeft) return;
      budget.spend(() => this.#find(id));
      // Yields to waiting requests.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #later(ms: number): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#search(oneAtOnce);
      if (this.#waiting.length > 0) this.#later(pauseMs);
    }, ms).unref();
  }

  // guard S24: Unrequested diagnosis takes at most a fifth of the time.
  #search(most: number): void {
    for (let found = 0; found < most && this.#waiting.length > 0 && this.#budget.isLeft;) {
      const id = this.#waiting.pop() ?? '';
      this.#budget.spend(() => {
        if (this.#find(id) !== undefined) found += 1;
      });
    }
  }

  #find(id: string): string | undefined {
    const { store, reasonFor } = this.#options;
    const kept = keptOf(store, id);
    // It may have been deleted, or looked at, meanwhile.
    if (kept === undefined || !isUnexplained(kept)) return kept?.reason;
    const reason = reasonFor(kept);
    if (reason !== undefined) store.note({ id, reason, runId: runIdOf(kept.body) });
    return reason;
  }
}

function keptOf(store: Pick<DeliveryStore, 'kept'>, id: string): KeptDelivery | undefined {
  try {
    return store.kept(id);
  } catch {
    return undefined;
  }
}

/** The processor time of this process, in milliseconds. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
