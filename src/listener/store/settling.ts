import type { DeliverySummary, Verdict } from '../../model/deliveries/delivery.ts';
import type { KeptDelivery, NewDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import { runIdOf } from '../../webhooks/deliveries/runIdOf.ts';
import type { DeliveryRow } from './deliveryRow.ts';
import type { Settled } from './deliveryTable.ts';
import type { OpenStore } from './storeFile.ts';
import { type BudgetLimits, WorkBudget } from '../../model/async/workBudget.ts';

/** The largest body of a verified delivery whose run is looked up when it is stored, in bytes. */
const settledAtOnceBytes = 16 * 1024;
/** How many deliveries are settled in one go: when somebody waits for them, and when not. Responses wait meanwhile. */
const batchSize = 100;
const fewAtOnce = 5;
/** The same for reasons, while nobody waits: a search takes several milliseconds where many secrets are held. */
const searchesAtOnce = 1;
/** How long after a change they are settled if nobody asked before, and the pause between two goes. In ms. */
const settlesAfterMs = 100;
const pauseMs = 10;

/**
 * How much of the time the search for reasons may take while nobody asks for one, which is a fifth of any second:
 * whoever posts forgeries decides how many there are, and each search takes many times as long as the check of its
 * signature.
 */
const inPassing: BudgetLimits = { share: 0.1, most: 100 };
/** How long all searches for one list may take, in milliseconds; one is made in each turn. */
const forList: BudgetLimits = { share: 0, most: 2000 };
/** How many deliveries wait for that search. Those beyond are searched once somebody looks at them. */
const mostWaiting = 1000;

/** The verdicts whose reason has to be searched for. */
const searched: readonly Verdict[] = ['mismatch', 'malformed'];

type ReasonFor = (delivery: KeptDelivery) => string | undefined;

export interface SettlingOptions {
  /** Undefined if the store cannot be read. */
  read: <T>(work: (store: OpenStore) => T) => T | undefined;
  /** Returns whether the work could be written. */
  write: (work: (store: OpenStore) => void) => boolean;
  reasonFor: ReasonFor;
  /** Called when deliveries were settled that nobody had asked for. */
  onSettled: () => void;
  /** A clock in milliseconds that never goes back. */
  clock: () => number;
  /** The processor time that this process has taken so far, in milliseconds. */
  effort: () => number;
}

/** Settles new deliveries: determines what the response did not need, which is the run, and why it did not verify. */
export class Settling {
  readonly #options: SettlingOptions;
  readonly #budget: WorkBudget;
  /** The ids of deliveries whose reason is to be searched for; the last one is next. */
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SettlingOptions) {
    this.#options = options;
    this.#budget = new WorkBudget(options.clock, inPassing, options.effort);
  }

  /** Settles all new deliveries now, as far as there is time for the search: somebody is about to read them. */
  all(): void {
    this.withoutSearch();
    this.#search(fewAtOnce);
  }

  /** Settles now what needs no search. */
  withoutSearch(): void {
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
      const isSettled = this.#some(fewAtOnce) !== undefined;
      const isFound = this.#search(searchesAtOnce);
      if (isSettled || isFound) this.#options.onSettled();
      if (isSettled || this.#waiting.length > 0) this.later(pauseMs);
    }, ms).unref();
  }

  /** What is determined about a new delivery before it is answered; undefined if all is left for later. */
  atOnce(delivery: NewDelivery): Settled | undefined {
    if (delivery.standing === 'verified') {
      const isSmall = delivery.body.byteLength <= settledAtOnceBytes;
      return isSmall ? settledOf(delivery, this.#options.reasonFor) : undefined;
    }
    if (!isUnexplained(delivery)) return undefined;
    this.#waiting.push(delivery.id);
    if (this.#waiting.length > 2 * mostWaiting) this.#waiting = this.#waiting.slice(-mostWaiting);
    return {};
  }

  /** Somebody looks at a page of deliveries, newest first: their reasons are searched for next. */
  listed(deliveries: readonly DeliverySummary[]): void {
    const ids = deliveries.filter(isUnexplained).map(({ id }) => id);
    if (ids.length === 0 || this.#isClosed) return;
    this.#waiting = [...new Set([...ids, ...this.#waiting.reverse()])].slice(0, mostWaiting).reverse();
    this.later();
  }

  /** Somebody looks at a delivery: settles it if its reason was not searched for yet. @returns it as it is then */
  looked(row: DeliveryRow): DeliveryRow {
    const { read, write, reasonFor } = this.#options;
    if (!isUnexplained(row.kept)) return row;
    const settled = settledOf(row.kept, reasonFor);
    const { reason } = settled;
    if (reason === undefined) return row;
    const isWritten = write(({ table }) => table.explain(row.seq, settled));
    const again = isWritten ? read(({ table }) => table.row(row.kept.id)) : undefined;
    return again ?? { ...row, kept: { ...row.kept, reason } };
  }

  /** The same for the deliveries of a list, until it takes too long. */
  lookedInList(): (row: DeliveryRow) => DeliveryRow {
    const budget = new WorkBudget(this.#options.clock, forList, this.#options.effort);
    return (row) => (budget.isLeft ? budget.spend(() => this.looked(row)) : row);
  }

  close(): void {
    this.#isClosed = true;
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

  // guard S24: Unrequested diagnosis takes at most a fifth of the time.
  #search(most: number): boolean {
    const { read, write, reasonFor } = this.#options;
    const found: { seq: number; settled: Settled }[] = [];
    while (found.length < most && this.#waiting.length > 0 && this.#budget.isLeft) {
      const id = this.#waiting.pop() ?? '';
      this.#budget.spend(() => {
        const row = read(({ table }) => table.row(id));
        // It may have been deleted, or looked at, meanwhile.
        if (row === undefined || !isUnexplained(row.kept)) return;
        found.push({ seq: row.seq, settled: settledOf(row.kept, reasonFor) });
      });
    }
    if (found.length === 0) return false;
    return write(({ table }) => {
      for (const { seq, settled } of found) table.explain(seq, settled);
    });
  }
}

/** Whether the reason of a delivery has to be searched for, and was not yet. */
function isUnexplained({ verdict, reason }: Pick<KeptDelivery, 'verdict' | 'reason'>): boolean {
  return reason === undefined && searched.includes(verdict);
}

function settledOf(delivery: KeptDelivery, reasonFor: ReasonFor): Settled {
  return { runId: runIdOf(delivery.body), reason: delivery.reason ?? reasonFor(delivery) };
}
