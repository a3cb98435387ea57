import * as fs from 'node:fs';
import { type Place, Segment } from './segment.ts';
import { SegmentSupply } from './segmentSupply.ts';

/** A sync of so little is waited for: another thread's would have its answers wait longer. */
const syncedAtOnce = { records: 1, bytes: 64 * 1024 };

export interface JournalOptions {
  folder: string;
  /** How many bytes of files are kept at most. */
  maxBytes: number;
  /** 16 MiB unless told otherwise. */
  largestSegmentBytes?: number;
  /** Told why records cannot be kept, and `undefined` when they can again. */
  onProblem: (problem: Error | undefined) => void;
  /** Told that a segment has gone, with all that is in it. */
  onRemoved: (segment: Segment) => void;
}

interface Pending {
  payload: readonly Uint8Array[];
  bytes: number;
  kept: ((place: Place) => void) | undefined;
  lost: ((error: Error) => void) | undefined;
}

/** What was written with one call, and is synced with one. */
interface Batch {
  segment: Segment;
  records: readonly Pending[];
  places: readonly Place[];
}

/**
 * Records on the disk, in segments. What arrives while one turn of the event loop reads its sockets is written
 * and synced together (group commit). Each session writes files of its own, so that an editor that is still
 * ending and the one that takes its place never write over each other.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #supply: SegmentSupply;
  #segments: Segment[] = [];
  #current: Segment | undefined;
  #pending: Pending[] = [];
  /** Written, and being synced. */
  #underWay: Batch | undefined;
  #scheduled = false;
  #failing = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#supply = new SegmentSupply(options.folder, options.largestSegmentBytes);
  }

  /**
   * Reads what other sessions have written and this one has not read yet, oldest first. What cannot be read is a
   * problem like any other: what arrives meanwhile gets no answer.
   */
  load(visit: (payload: Buffer, place: Place) => void): void {
    let problem: Error | undefined;
    try {
      fs.mkdirSync(this.#options.folder, { recursive: true });
      for (const name of fs.readdirSync(this.#options.folder).sort()) {
        try {
          this.#loadFile(name, visit);
        } catch (error) {
          // The others are read all the same. Another session may have used this one again since it was listed.
          if (!isGone(error)) problem = asError(error);
        }
      }
      this.sweep();
    } catch (error) {
      problem = asError(error);
    }
    if (problem !== undefined) this.#report(problem);
  }

  /**
   * Calls `kept` when the record is on the disk, or `lost` where it could not be kept; called and not promised,
   * because whoever counts what is kept in a segment must have counted before the next one is begun.
   */
  append(payload: readonly Uint8Array[], kept?: Pending['kept'], lost?: Pending['lost']): void {
    const bytes = Segment.recordBytes(payload.reduce((sum, part) => sum + part.length, 0));
    this.#pending.push({ payload, bytes, kept, lost });
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.commit();
    });
  }

  /** Writes what waits. While a sync is under way, what arrives goes into the batch after it. */
  commit(): void {
    while (this.#underWay === undefined && this.#pending.length > 0) {
      const batch = this.#write();
      if (batch === undefined) continue;
      if (isQuick(batch)) this.#finish(batch);
      else this.#syncSoon(batch);
    }
    if (this.#current !== undefined) void this.#supply.prepareAfter(this.#current);
  }

  #write(): Batch | undefined {
    let records = this.#pending;
    try {
      const segment = this.#segmentFor(records[0]?.bytes ?? 0);
      records = this.#take(segment);
      return { segment, records, places: segment.write(records.map(({ payload }) => payload)) };
    } catch (error) {
      if (records === this.#pending) this.#pending = [];
      this.#lose(records, error);
      return undefined;
    }
  }

  #syncSoon(batch: Batch): void {
    this.#underWay = batch;
    batch.segment.syncSoon((error) => {
      // Somebody could not wait, and has finished it.
      if (this.#underWay !== batch) return;
      this.#underWay = undefined;
      if (error === null) this.#settle(batch);
      else this.#lose(batch.records, error);
      this.commit();
    });
  }

  /** Has the batch on the disk when it returns. */
  #finish(batch: Batch): void {
    try {
      batch.segment.sync();
    } catch (error) {
      this.#lose(batch.records, error);
      return;
    }
    this.#settle(batch);
  }

  #settle({ records, places }: Batch): void {
    places.forEach((place, index) => records[index]?.kept?.(place));
    this.#report(undefined);
  }

  #lose(records: readonly Pending[], error: unknown): void {
    const problem = asError(error);
    // After a failed write or sync nobody knows what the file holds: what comes next goes to a new one.
    this.#current?.forsake();
    this.#current = undefined;
    for (const { lost } of records) lost?.(problem);
    this.#report(problem);
  }

  /** Has on the disk all that came up to now. */
  flush(): void {
    while (this.#underWay !== undefined || this.#pending.length > 0) {
      const batch = this.#underWay ?? this.#write();
      this.#underWay = undefined;
      if (batch !== undefined) this.#finish(batch);
    }
  }

  /** Forgets everything, but what another window that is still there writes. */
  clear(): void {
    this.flush();
    for (const segment of this.#segments) {
      if (!segment.isForeign) segment.remove();
    }
    this.#segments = this.#segments.filter((segment) => segment.isForeign);
    this.#supply.clear();
    this.#current = undefined;
  }

  /** Removes the oldest segments that nothing is kept in, or that are more than may be kept. */
  sweep(): void {
    let bytes = this.#segments.reduce((sum, segment) => sum + segment.capacity, 0);
    for (const segment of [...this.#segments]) {
      if (segment === this.#current) break;
      if (segment.isForeign || (segment.live > 0 && bytes <= this.#options.maxBytes)) continue;
      this.#segments.splice(this.#segments.indexOf(segment), 1);
      bytes -= segment.capacity;
      this.#options.onRemoved(segment);
      this.#supply.takeBack(segment);
    }
  }

  close(): void {
    this.flush();
    this.#current?.trim();
    this.#supply.close();
    for (const segment of this.#segments) segment.close();
    this.#segments = [];
    this.#current = undefined;
  }

  #segmentFor(bytes: number): Segment {
    const current = this.#current;
    return current !== undefined && current.end + bytes <= current.capacity ? current : this.#roll(bytes);
  }

  /** Takes from what waits as much as the segment has room for. */
  #take({ end, capacity }: Segment): Pending[] {
    let count = 0;
    let bytes = 0;
    for (const one of this.#pending) {
      bytes += one.bytes;
      if (end + bytes > capacity) break;
      count += 1;
    }
    return this.#pending.splice(0, count);
  }

  #roll(atLeast: number): Segment {
    const segment = this.#supply.next(atLeast);
    this.#segments.push(segment);
    this.#current = segment;
    this.sweep();
    return segment;
  }

  #loadFile(name: string, visit: (payload: Buffer, place: Place) => void): void {
    const segment = this.#known(name) ?? this.#open(name);
    if (segment === undefined || segment === this.#current || segment === this.#supply.spare) return;
    for (const { payload, place } of segment.records()) visit(payload, place);
  }

  #known(name: string): Segment | undefined {
    return [...this.#segments, this.#supply.spare].find((segment) => segment?.path.endsWith(name));
  }

  #open(name: string): Segment | undefined {
    const segment = Segment.open(this.#options.folder, name);
    if (segment === undefined) return undefined;
    if (this.#supply.isPreparing(segment)) {
      segment.close();
      return undefined;
    }
    this.#segments.push(segment);
    this.#supply.seen(segment);
    return segment;
  }

  #report(problem: Error | undefined): void {
    if (problem === undefined && !this.#failing) return;
    this.#failing = problem !== undefined;
    this.#options.onProblem(problem);
  }
}

function isQuick({ records }: Batch): boolean {
  return records.length <= syncedAtOnce.records && (records[0]?.bytes ?? 0) <= syncedAtOnce.bytes;
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
