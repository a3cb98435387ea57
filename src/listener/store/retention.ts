import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** How many bytes are kept of bodies and of what was answered to them: of what was taken, and of what was refused. */
const mostBytes = 256 * 1024 * 1024;
const mostRefusedBytes = 32 * 1024 * 1024;
/** How many that were refused are kept beside the others, as a part of how many those may be. */
const refusedPart = 1 / 5;
/** How many more are kept while a window has yet to be told of them. */
const mostUntold = 20_000;
/** Every revision. */
const all = Number.MAX_SAFE_INTEGER;

/** How much room a delivery takes, and among which it counts. */
interface Room {
  standing: string;
  /** It is still to be forwarded. */
  isWaiting: boolean;
  /** Of its body and of what was answered to it. */
  bytes: number;
}

/** The room that a delivery took, and takes now. */
export interface Change {
  before: Room;
  now: Room;
}

type Kind = 'taken' | 'refused';

const kindOf = (standing: unknown): Kind => (standing === 'refused' ? 'refused' : 'taken');

const nothing = () => ({ taken: { count: 0, bytes: 0 }, refused: { count: 0, bytes: 0 } });

/**
 * Lets go of the oldest deliveries where more are kept than may be. What was refused has room of its own, so that it
 * never displaces what was taken.
 */
export class Retention {
  readonly #version: StatementSync;
  readonly #remove: Readonly<Record<Kind, StatementSync>>;
  readonly #amounts: StatementSync;
  #kept = nothing();
  #seenVersion: unknown;

  constructor(database: DatabaseSync) {
    this.#version = database.prepare('PRAGMA data_version');
    const remove = (which: string): StatementSync =>
      database.prepare(`DELETE FROM deliveries WHERE seq IN
        (SELECT seq FROM deliveries WHERE ${which} AND revision <= ? ORDER BY seq LIMIT ?) RETURNING bytes + answer_bytes AS bytes`);
    this.#remove = { taken: remove("standing <> 'refused'"), refused: remove("standing = 'refused'") };
    this.#amounts = database.prepare(
      'SELECT standing, count(*) AS count, sum(bytes + answer_bytes) AS bytes FROM deliveries GROUP BY standing',
    );
  }

  /** Counts a delivery that is about to be added. */
  added({ standing, bytes }: Room): void {
    this.#count(kindOf(standing), 1, bytes);
  }

  /** Counts a delivery that takes another room than before. */
  changed({ before, now }: Change): void {
    this.#count(kindOf(before.standing), -1, -before.bytes);
    this.#count(kindOf(now.standing), 1, now.bytes);
  }

  /** Counts anew within a transaction. */
  recount(): void {
    this.forget();
    this.refresh();
  }

  /** Counts anew with the next transaction: the last was not kept, or all is gone. */
  forget(): void {
    this.#seenVersion = undefined;
  }

  /** At the begin of a transaction: another program may have written. */
  refresh(): void {
    const version = this.#version.get()?.['data_version'];
    if (version === this.#seenVersion) return;
    this.#seenVersion = version;
    this.#kept = nothing();
    for (const { standing, count, bytes } of this.#amounts.all()) {
      this.#count(kindOf(standing), Number(count), Number(bytes));
    }
  }

  /**
   * @param keep how many that were taken may be kept
   * @param toldUpTo the revision up to which all windows were told: what was taken waits until they were
   */
  trim(keep: number, toldUpTo: number): void {
    // guard: what was refused has room of its own
    this.#shrink('refused', Math.max(1, Math.floor(keep * refusedPart)), mostRefusedBytes);
    this.#shrink('taken', keep, Number.POSITIVE_INFINITY, toldUpTo);
    this.#shrink('taken', keep + mostUntold, mostBytes);
  }

  #count(kind: Kind, count: number, bytes: number): void {
    const kept = this.#kept[kind];
    kept.count += count;
    kept.bytes += bytes;
  }

  #shrink(kind: Kind, most: number, mostBytesOfKind: number, upTo = all): void {
    const kept = this.#kept[kind];
    while (kept.count > most || (kept.bytes > mostBytesOfKind && kept.count > 0)) {
      const removed = this.#remove[kind].all(upTo, Math.max(1, kept.count - most));
      if (removed.length === 0) return;
      for (const { bytes } of removed) this.#count(kind, -1, -Number(bytes));
    }
  }
}
