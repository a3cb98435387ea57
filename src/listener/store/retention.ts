import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** How many bytes are kept of bodies and of what was answered to them: of what was taken, and of what was refused. */
const mostBytes = 256 * 1024 * 1024;
const mostRefusedBytes = 32 * 1024 * 1024;
/** How many that were refused are kept beside the others, as a part of how many those may be. */
const refusedPart = 1 / 5;
/** So many times as much is kept of what waits to be forwarded, beside the others. */
const waitingTimes = 4;
/** How many more are kept while a window has yet to be told of them. */
const mostUntold = 20_000;
/** Every revision. */
const all = Number.MAX_SAFE_INTEGER;

/** How much room a delivery takes, and among which it counts. */
export interface Room {
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

type Kind = 'taken' | 'waiting' | 'refused';

const kindOf = ({ standing, isWaiting }: Omit<Room, 'bytes'>): Kind => {
  if (standing === 'refused') return 'refused';
  return isWaiting ? 'waiting' : 'taken';
};

const nothing = () => ({
  taken: { count: 0, bytes: 0 },
  waiting: { count: 0, bytes: 0 },
  refused: { count: 0, bytes: 0 },
});

/**
 * Lets go of the oldest deliveries where more are kept than may be. What was refused has room of its own, so that it
 * never displaces what was taken; so has what waits to be forwarded, which would not reach the local app any more.
 */
export class Retention {
  readonly #version: StatementSync;
  readonly #remove: Readonly<Record<Kind, StatementSync>>;
  readonly #amounts: StatementSync;
  readonly #waiting: StatementSync;
  #kept = nothing();
  #seenVersion: unknown;
  /** The ids of those that went, and waited to be forwarded. */
  #unforwarded: string[] = [];

  constructor(database: DatabaseSync) {
    this.#version = database.prepare('PRAGMA data_version');
    const remove = (which: string): StatementSync =>
      database.prepare(`DELETE FROM deliveries WHERE seq IN
        (SELECT seq FROM deliveries ${which} AND revision <= ? ORDER BY seq LIMIT ?) RETURNING id, bytes + answer_bytes AS bytes`);
    this.#remove = {
      // Those that wait may be many, and are the oldest: none of them is looked at.
      taken: remove("INDEXED BY not_waiting WHERE standing <> 'refused' AND forward_to IS NULL"),
      waiting: remove("INDEXED BY waiting WHERE standing <> 'refused' AND forward_to IS NOT NULL"),
      refused: remove("WHERE standing = 'refused'"),
    };
    this.#amounts = database.prepare(
      'SELECT standing, count(*) AS count, sum(bytes + answer_bytes) AS bytes FROM deliveries GROUP BY standing',
    );
    this.#waiting = database.prepare(`
      SELECT standing, count(*) AS count, sum(bytes + answer_bytes) AS bytes
      FROM deliveries INDEXED BY waiting WHERE forward_to IS NOT NULL GROUP BY standing`);
  }

  /** Counts a delivery that is about to be added. */
  added(room: Room): void {
    this.#count(kindOf(room), 1, room.bytes);
  }

  /** Counts a delivery that takes another room than before. */
  changed({ before, now }: Change): void {
    this.#count(kindOf(before), -1, -before.bytes);
    this.#count(kindOf(now), 1, now.bytes);
  }

  /** Counts anew with the next transaction: the last was not kept, or all is gone. */
  forget(): void {
    this.#seenVersion = undefined;
    this.#unforwarded = [];
  }

  /** Counts anew within a transaction. */
  recount(): void {
    this.forget();
    this.refresh();
  }

  /** At the begin of a transaction: another program may have written. */
  refresh(): void {
    const version = this.#version.get()?.['data_version'];
    if (version === this.#seenVersion) return;
    this.#seenVersion = version;
    this.#kept = nothing();
    for (const { standing, count, bytes } of this.#amounts.all()) {
      this.#count(kindOf({ standing: String(standing), isWaiting: false }), Number(count), Number(bytes));
    }
    for (const row of this.#waiting.all()) {
      const [standing, count, bytes] = [String(row['standing']), Number(row['count']), Number(row['bytes'])];
      this.#count(kindOf({ standing, isWaiting: false }), -count, -bytes);
      this.#count(kindOf({ standing, isWaiting: true }), count, bytes);
    }
  }

  /**
   * @param keep how many that were taken may be kept
   * @param toldUpTo the revision up to which all windows were told: what was taken waits until they were
   */
  trim(keep: number, toldUpTo: number): void {
    // guard: what was refused has room of its own
    this.#shrink('refused', Math.max(1, Math.floor(keep * refusedPart)), mostRefusedBytes);
    // guard: what waits for your app has four times the room of the others, and displaces none of them
    for (const [kind, times] of [['taken', 1] as const, ['waiting', waitingTimes] as const]) {
      this.#shrink(kind, keep * times, Number.POSITIVE_INFINITY, toldUpTo);
      this.#shrink(kind, keep * times + mostUntold, mostBytes * times);
    }
  }

  /** The ids of those that went and waited to be forwarded, since this was asked last. */
  takeUnforwarded(): readonly string[] {
    const ids = this.#unforwarded;
    this.#unforwarded = [];
    return ids;
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
      for (const { bytes, id } of removed) {
        this.#count(kind, -1, -Number(bytes));
        if (kind === 'waiting') this.#unforwarded.push(String(id));
      }
    }
  }
}
