import { type DeliverySummary, summarise } from '../../model/deliveries/delivery.ts';
import { type DeliveryFilter, isEmptyFilter } from '../../model/deliveries/deliveryFilter.ts';
import type { FoundDeliveries } from '../../model/processes/listenerProtocol.ts';
import { toDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import type { OpenStore } from './storeFile.ts';

/** How long a search goes on before who waits for an answer comes in between, and how long it counts. Milliseconds. */
const turnMs = 4;
const countsForMs = 1000;
/** How many names of headers and of apps are told. */
const mostNames = 50;

/** Reads in the store as it is then; undefined where it cannot be read. */
type Read = <T>(read: (store: OpenStore) => T) => T | undefined;

/** One search of what is kept: it looks into a part, and lets in between who waits for an answer. */
export class DeliveryFind {
  readonly #read: Read;
  readonly #isOver: () => boolean;
  #turnBegan = performance.now();

  /** @param isOver whether nobody waits for it any more: it ends with what it has then */
  constructor(read: Read, isOver: () => boolean) {
    this.#read = read;
    this.#isOver = isOver;
  }

  /** The newest that fit, without their bodies, and how many do. */
  async find(filter: DeliveryFilter, limit: number): Promise<FoundDeliveries> {
    const known = this.#read(({ query }) => {
      return { kept: query.count, apps: query.apps(mostNames) };
    }) ?? { kept: 0, apps: [] };
    const { seqs, isWhole } = isEmptyFilter(filter)
      ? { seqs: this.#read(({ query }) => query.seqs({}, limit + 1)) ?? [], isWhole: true }
      : await this.#matches(filter, limit + 1);
    const page = await this.#page(seqs.slice(0, limit));
    const hits = isEmptyFilter(filter) ? known.kept : seqs.length;
    return { ...known, ...page, hasMore: seqs.length > limit, hits, hasAllHits: isWhole };
  }

  /** All that fit, the newest first; the newest of each row for sure. */
  async #matches(filter: DeliveryFilter, limit: number): Promise<{ seqs: number[]; isWhole: boolean }> {
    const begun = this.#read((store) => ({ store, rows: store.query.parts(filter) }));
    const found = new Set<number>();
    const rows = begun?.rows ?? [];
    let isWhole = begun !== undefined;
    // Its statements end with the file: one that was replaced meanwhile has nothing of this.
    const next = (row: Generator<number[]>): IteratorResult<number[], unknown> | undefined =>
      this.#read((store) => (store === begun?.store ? row.next() : undefined));
    const follow = async (row: Generator<number[]>, goesOn: (count: number) => boolean): Promise<boolean> => {
      for (let count = 0; !this.#isOver() && goesOn(count);) {
        const part = next(row);
        if (part === undefined) return false;
        if (part.done === true) return true;
        for (const seq of part.value) found.add(seq);
        count += part.value.length;
        await this.#rest();
      }
      return false;
    };
    const left: Generator<number[]>[] = [];
    for (const row of rows) if (!(await follow(row, (count) => count < limit))) left.push(row);
    const end = performance.now() + countsForMs;
    for (const row of left) isWhole = (await follow(row, () => performance.now() < end)) && isWhole;
    return { seqs: [...found].sort((a, b) => b - a), isWhole };
  }

  async #page(
    seqs: readonly number[],
  ): Promise<Pick<FoundDeliveries, 'deliveries'> & { headerNames: string[] }> {
    const deliveries: DeliverySummary[] = [];
    const headerNames = new Set<string>();
    for (const seq of seqs) {
      if (this.#isOver()) break;
      const row = this.#read(({ query }) => query.row(seq));
      await this.#rest();
      // It may have gone meanwhile.
      if (row === undefined) continue;
      const delivery = toDelivery(row.kept, row.known);
      deliveries.push(summarise(delivery));
      for (const name of Object.keys(delivery.headers)) {
        if (headerNames.size < mostNames) headerNames.add(name);
      }
    }
    return { deliveries, headerNames: [...headerNames].sort() };
  }

  /** Lets in between who waits for an answer, where it is time to. */
  async #rest(): Promise<void> {
    if (performance.now() - this.#turnBegan < turnMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#turnBegan = performance.now();
  }
}
