import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { mostBodyBytes } from '../../deliveries/listenerProtocol.ts';

/**
 * How many bytes of bodies and responses are kept: of deliveries that were not refused, and of refused ones. The newest
 * of a kind stays, be it larger.
 */
const mostBytes = 4 * mostBodyBytes;
const mostRefusedBytes = mostBodyBytes / 2;
/** How many refused deliveries are kept in addition, as a fraction of the limit for the others. */
const refusedPart = 1 / 5;
/** The limits for deliveries that wait to be forwarded, which count separately, as a multiple of the normal ones. */
const waitingTimes = 4;
/** How many more deliveries are kept while a window has not been sent them yet. */
const mostUnpublished = 20_000;
/** A limit that includes every revision. */
const all = Number.MAX_SAFE_INTEGER;

/** How much room a delivery takes, and what decides its kind. */
export interface Room {
  standing: string;
  /** Whether it waits to be forwarded. */
  isWaiting: boolean;
  /** The bytes of its body and of the responses to it. */
  bytes: number;
}

/** The room that a delivery took before, and takes now. */
export interface Change {
  before: Room;
  now: Room;
}

type Kind = 'taken' | 'waiting' | 'refused';

const kindOf = ({ standing, isWaiting }: Omit<Room, 'bytes'>): Kind => {
  if (standing === 'refused') return 'refused';
  return isWaiting ? 'waiting' : 'taken';
};

const emptyCounts = () => ({
  taken: { count: 0, bytes: 0 },
  waiting: { count: 0, bytes: 0 },
  refused: { count: 0, bytes: 0 },
});

/**
 * Deletes the oldest deliveries beyond the limits. Refused deliveries have their own limits, so that they never
 * displace the others. So have those that wait to be forwarded: once deleted, they cannot reach the local app.
 */
export class Retention {
  readonly #version: StatementSync;
  readonly #removeOldest: Readonly<Record<Kind, StatementSync>>;
  readonly #amounts: StatementSync;
  #kept = emptyCounts();
  #seenVersion: unknown;
  /** The ids of deleted deliveries that were waiting to be forwarded. */
  #unforwarded: string[] = [];

  readonly #onRemoved: (id: string) => void;

  /** @param onRemoved called with the id of each deleted delivery */
  constructor(database: DatabaseSync, onRemoved: (id: string) => void) {
    this.#onRemoved = onRemoved;
    this.#version = database.prepare('PRAGMA data_version');
    const remove = (which: string): StatementSync =>
      database.prepare(`DELETE FROM deliveries WHERE seq IN
        (SELECT seq FROM deliveries ${which} AND revision <= ? ORDER BY seq LIMIT ?) RETURNING id, bytes + answer_bytes AS bytes`);
    this.#removeOldest = {
      // The index skips waiting deliveries, which may be many and the oldest.
      taken: remove("INDEXED BY not_waiting WHERE standing <> 'refused' AND forward_to IS NULL"),
      waiting: remove("INDEXED BY waiting WHERE standing <> 'refused' AND forward_to IS NOT NULL"),
      refused: remove("WHERE standing = 'refused'"),
    };
    this.#amounts = database.prepare(`
      SELECT standing, forward_to IS NOT NULL AS isWaiting, count(*) AS count, sum(bytes + answer_bytes) AS bytes
      FROM deliveries GROUP BY standing, isWaiting`);
  }

  /** Counts a delivery that is about to be added. */
  added(room: Room): void {
    this.#count(kindOf(room), 1, room.bytes);
  }

  /** Updates the counts for a delivery whose room or kind has changed. */
  changed({ before, now }: Change): void {
    this.#count(kindOf(before), -1, -before.bytes);
    this.#count(kindOf(now), 1, now.bytes);
  }

  /** Forces a recount in the next transaction: the last one was rolled back, or everything was deleted. */
  forget(): void {
    this.#seenVersion = undefined;
    this.#unforwarded = [];
  }

  /** Recounts within a transaction. */
  recount(): void {
    this.forget();
    this.refresh();
  }

  /** Call this at the start of a transaction: recounts if another program has written to the file. */
  refresh(): void {
    const version = this.#version.get()?.['data_version'];
    if (version === this.#seenVersion) return;
    this.#seenVersion = version;
    this.#kept = emptyCounts();
    for (const { standing, isWaiting, count, bytes } of this.#amounts.all()) {
      const kind = kindOf({ standing: String(standing), isWaiting: isWaiting === 1 });
      this.#count(kind, Number(count), Number(bytes));
    }
  }

  /**
   * @param keep how many deliveries may be kept that are neither refused nor waiting
   * @param publishedUntil the revision up to which all windows were sent changes; newer ones stay longer, unless refused
   */
  trim(keep: number, publishedUntil: number): void {
    // guard S29: Refused deliveries have room of their own.
    this.#shrink('refused', Math.max(1, Math.floor(keep * refusedPart)), mostRefusedBytes);
    // guard S30: Deliveries that wait for the app have four times the room of the others, and displace none of them.
    for (const [kind, times] of [['taken', 1] as const, ['waiting', waitingTimes] as const]) {
      this.#shrink(kind, keep * times, Number.POSITIVE_INFINITY, publishedUntil);
      this.#shrink(kind, keep * times + mostUnpublished, mostBytes * times);
    }
  }

  /** Returns and clears the ids of deleted deliveries that were waiting to be forwarded. */
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
    // guard S36: The newest delivery stays, however large it is.
    while (kept.count > most || (kept.bytes > mostBytesOfKind && kept.count > 1)) {
      const removed = this.#removeOldest[kind].all(upTo, Math.max(1, kept.count - most));
      if (removed.length === 0) return;
      for (const { bytes, id } of removed) {
        this.#count(kind, -1, -Number(bytes));
        this.#onRemoved(String(id));
        if (kind === 'waiting') this.#unforwarded.push(String(id));
      }
    }
  }
}
