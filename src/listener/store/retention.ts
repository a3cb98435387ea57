import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Standing } from '../../webhooks/deliveries/keptDelivery.ts';

/** How many bytes of bodies are kept: of what was taken, and of what was refused. */
const mostBytes = 256 * 1024 * 1024;
const mostRefusedBytes = 32 * 1024 * 1024;
/** How many that were refused are kept beside the others, as a part of how many those may be. */
const refusedPart = 1 / 5;
/** How many more are kept while a window has yet to be told of them. */
const mostUntold = 20_000;
/** Every revision. */
const all = Number.MAX_SAFE_INTEGER;

interface Amount {
  count: number;
  bytes: number;
}

type Kind = 'taken' | 'refused';

const nothingKept = (): Record<Kind, Amount> => ({
  taken: { count: 0, bytes: 0 },
  refused: { count: 0, bytes: 0 },
});

const kindOf = (standing: unknown): Kind => (standing === 'refused' ? 'refused' : 'taken');

/**
 * Lets go of the oldest deliveries where more are kept than may be. What was refused has room of its own, so that it
 * never displaces what was taken.
 */
export class Retention {
  readonly #version: StatementSync;
  readonly #oldest: Readonly<Record<Kind, StatementSync>>;
  readonly #remove: StatementSync;
  readonly #amounts: StatementSync;
  #kept = nothingKept();
  #seenVersion: unknown;

  constructor(database: DatabaseSync) {
    this.#version = database.prepare('PRAGMA data_version');
    const oldest = (which: string): StatementSync =>
      database.prepare(
        `SELECT seq, bytes FROM deliveries WHERE ${which} AND revision <= ? ORDER BY seq LIMIT ?`,
      );
    this.#oldest = { taken: oldest("standing <> 'refused'"), refused: oldest("standing = 'refused'") };
    this.#remove = database.prepare('DELETE FROM deliveries WHERE seq = ?');
    this.#amounts = database.prepare(
      'SELECT standing, count(*) AS count, sum(bytes) AS bytes FROM deliveries GROUP BY standing',
    );
  }

  /** Counts a delivery that is about to be added. */
  added(standing: Standing, bytes: number): void {
    const amount = this.#kept[kindOf(standing)];
    amount.count += 1;
    amount.bytes += bytes;
  }

  /** Counts anew with the next look: the transaction was not kept, or all is gone. */
  forget(): void {
    this.#seenVersion = undefined;
  }

  /** At the begin of a transaction, and before a look: another program may have written. */
  refresh(): void {
    const version = this.#version.get()?.['data_version'];
    if (version === this.#seenVersion) return;
    this.#seenVersion = version;
    this.#kept = nothingKept();
    for (const { standing, count, bytes } of this.#amounts.all()) {
      const amount = this.#kept[kindOf(standing)];
      amount.count += Number(count);
      amount.bytes += Number(bytes);
    }
  }

  /** @param keep how many that were taken may be kept */
  isOverfull(keep: number): boolean {
    this.refresh();
    return this.#kept.taken.count > keep;
  }

  /**
   * @param keep how many that were taken may be kept
   * @param toldUpTo the revision up to which all windows were told: what was taken waits until they were
   */
  trim(keep: number, toldUpTo: number): void {
    const { taken, refused } = this.#kept;
    // guard: what was refused has room of its own
    const mostRefused = Math.max(1, Math.floor(keep * refusedPart));
    this.#shrink('refused', refused.count - mostRefused, refused.bytes - mostRefusedBytes);
    this.#shrink('taken', taken.count - keep, 0, toldUpTo);
    this.#shrink('taken', taken.count - keep - mostUntold, taken.bytes - mostBytes);
  }

  #shrink(kind: Kind, count: number, bytes: number, upTo = all): void {
    const kept = this.#kept[kind];
    let [tooMany, tooLarge] = [count, bytes];
    while ((tooMany > 0 || tooLarge > 0) && kept.count > 0) {
      const oldest = this.#oldest[kind].all(upTo, Math.max(tooMany, 16));
      if (oldest.length === 0) return;
      for (const row of oldest) {
        if (tooMany <= 0 && tooLarge <= 0) break;
        this.#remove.run(row['seq'] ?? null);
        const freed = Number(row['bytes']);
        [tooMany, tooLarge] = [tooMany - 1, tooLarge - freed];
        kept.count -= 1;
        kept.bytes -= freed;
      }
    }
  }
}
