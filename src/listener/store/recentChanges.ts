import type { ChangedDelivery } from './deliveryRow.ts';

/** How many deliveries are held. */
const mostHeld = 1000;

/**
 * The deliveries that changed last, as they were committed: windows are told of them without a look into the file.
 * Changes are added within a transaction, and count once it is committed.
 */
export class RecentChanges {
  /** By id, in the order of their last change. */
  readonly #committed = new Map<string, ChangedDelivery>();
  /** What the open transaction changes; undefined for what it deletes. */
  #pending = new Map<string, ChangedDelivery | undefined>();
  #isCleared = false;
  /** All changes after the revision `#after`, up to `#until`, are held. */
  #after = 0;
  #until = -1;

  /** Call this at the start of a transaction. @param revision that of the file */
  begin(revision: number): void {
    this.#pending.clear();
    this.#isCleared = false;
    if (revision === this.#until) return;
    // Another program has written.
    this.#committed.clear();
    this.#after = revision;
    this.#until = revision;
  }

  /** A delivery was added or changed. */
  add(changed: ChangedDelivery): void {
    const { id } = changed.delivery;
    this.#pending.delete(id);
    this.#pending.set(id, changed);
  }

  /** A delivery was deleted. */
  remove(id: string): void {
    this.#pending.set(id, undefined);
  }

  /** All were deleted. */
  clear(): void {
    this.#pending.clear();
    this.#isCleared = true;
  }

  /** Call this when the transaction was committed. @param revision that of the file */
  commit(revision: number): void {
    if (this.#isCleared) this.#committed.clear();
    for (const [id, changed] of this.#pending) {
      this.#committed.delete(id);
      if (changed !== undefined) this.#committed.set(id, changed);
    }
    this.#until = revision;
    for (const [id, oldest] of this.#committed) {
      if (this.#committed.size <= mostHeld) break;
      this.#after = oldest.revision;
      this.#committed.delete(id);
    }
  }

  /** A delivery as it is in the open transaction; undefined if it is not held. */
  get(id: string): ChangedDelivery | undefined {
    if (this.#pending.has(id) || this.#isCleared) return this.#pending.get(id);
    return this.#committed.get(id);
  }

  /**
   * The deliveries that changed after a revision, in the order of their last change.
   * @param current the revision of the file
   * @returns undefined if not all of these are held
   */
  since(revision: number, current: number, limit: number): ChangedDelivery[] | undefined {
    if (current !== this.#until || revision < this.#after) return undefined;
    return [...this.#committed.values()].filter((one) => one.revision > revision).slice(0, limit);
  }
}
