import type { News } from './listenerProtocol.ts';
import type { Delivery } from '../contract/delivery.ts';
import { t } from '../shared/text/l10n.ts';
import { outcomeOf } from './outcomeText.ts';

/** The maximum number of deliveries that are counted as needing a look. */
const mostToLookAt = 1000;

/**
 * The deliveries that need a look: those that did not verify or that the app refused while this window was open, until
 * they are seen in the view or opened, or a replay succeeds.
 */
export class DeliveriesToLookAt {
  /** What ended before this window was opened is nothing to look at. */
  readonly #openedAt: string;
  readonly #changed: () => void;
  readonly #ids = new Set<string>();
  /** When the last attempt of each delivery ended, as it was told last: after another one it needs a look again. */
  readonly #attempts = new Map<string, string>();
  #isInSight = false;

  /**
   * @param openedAt when this window was opened, in Unix milliseconds
   * @param changed is called after the count has changed
   */
  constructor(openedAt: number, changed: () => void) {
    this.#openedAt = new Date(openedAt).toISOString();
    this.#changed = changed;
  }

  get count(): number {
    return this.#ids.size;
  }

  /** Takes what the program told of deliveries. */
  take({ arrived, changed }: Pick<News, 'arrived' | 'changed'>): void {
    this.#change(() => {
      for (const delivery of arrived) this.#take(delivery, true);
      for (const delivery of changed) this.#take(delivery, false);
      for (const kept of [this.#ids, this.#attempts]) dropOldest(kept);
      if (this.#isInSight) this.#ids.clear();
    });
  }

  /** Sets whether the view of the deliveries is visible: while it is, they count as seen when they arrive. */
  setInSight(isInSight: boolean): void {
    this.#isInSight = isInSight;
    if (isInSight) this.#change(() => this.#ids.clear());
  }

  /** Notes that a delivery was opened. */
  open(id: string): void {
    this.#change(() => this.#ids.delete(id));
  }

  /** Notes that all deliveries were removed. */
  clear(): void {
    this.#change(() => this.#ids.clear());
  }

  #take(delivery: Delivery, isNew: boolean): void {
    const { id, forward } = delivery;
    const at = forward !== undefined && 'at' in forward ? forward.at : '';
    const known = this.#attempts.get(id);
    const isTried = known === undefined ? at > this.#openedAt : at !== known;
    this.#attempts.delete(id);
    this.#attempts.set(id, at);
    const outcome = outcomeOf(delivery);
    if (outcome === 'verified') this.#ids.delete(id);
    else if (outcome !== 'waiting' && (isNew || isTried)) this.#ids.add(id);
  }

  #change(work: () => unknown): void {
    const { count } = this;
    work();
    if (this.count !== count) this.#changed();
  }
}

function dropOldest(kept: Set<string> | Map<string, unknown>): void {
  for (const id of kept.keys()) {
    if (kept.size <= mostToLookAt) return;
    kept.delete(id);
  }
}

/** How many deliveries need a look, in words. */
export function toLookAtText(count: number): string {
  if (count === 1) return t('1 delivery needs a look');
  return t('{0} deliveries need a look', count < mostToLookAt ? count : `${mostToLookAt}+`);
}
