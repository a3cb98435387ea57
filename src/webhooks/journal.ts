import * as fs from 'node:fs';
import { type Place, Segment } from './segment.ts';

/** The first segment; each further one is twice as large, up to the largest. */
const firstSegmentBytes = 1 << 20;
const largestSegmentBytes = 1 << 24;

export interface JournalOptions {
  folder: string;
  /** How many bytes of files are kept at most. */
  maxBytes: number;
  /** Told why records cannot be kept, and `undefined` when they can again. */
  onProblem: (problem: Error | undefined) => void;
  /** Told that a segment has gone, with all that is in it. */
  onRemoved: (segment: Segment) => void;
}

interface Pending {
  payload: readonly Uint8Array[];
  bytes: number;
  kept: (place: Place) => void;
  lost: (error: Error) => void;
}

/**
 * Records on the disk, in segments. What arrives while one turn of the event loop reads its sockets is written
 * and synced together (group commit). Each session writes files of its own, so that an editor that is still
 * ending and the one that takes its place never write over each other.
 */
export class Journal {
  readonly #options: JournalOptions;
  #segments: Segment[] = [];
  #current: Segment | undefined;
  #pending: Pending[] = [];
  #nextBytes = firstSegmentBytes;
  #lastNumber = 0;
  #scheduled = false;
  #failing = false;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Reads what earlier sessions left, oldest first. */
  load(visit: (payload: Buffer, place: Place) => void): void {
    const { folder } = this.#options;
    fs.mkdirSync(folder, { recursive: true });
    for (const name of fs.readdirSync(folder).sort()) {
      const segment = Segment.open(folder, name);
      if (segment === undefined) continue;
      this.#segments.push(segment);
      this.#lastNumber = Math.max(this.#lastNumber, segment.number);
      for (const { payload, place } of segment.records()) visit(payload, place);
    }
    this.sweep();
  }

  /**
   * Calls `kept` when the record is on the disk, or `lost` where it could not be kept; called and not promised,
   * because whoever counts what is kept in a segment must have counted before the next one is begun.
   */
  append(payload: readonly Uint8Array[], kept: Pending['kept'], lost: Pending['lost']): void {
    const bytes = Segment.recordBytes(payload.reduce((sum, part) => sum + part.length, 0));
    this.#pending.push({ payload, bytes, kept, lost });
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.commit();
    });
  }

  /** Writes what waits. */
  commit(): void {
    while (this.#pending.length > 0) {
      let batch: Pending[] = this.#pending;
      try {
        const segment = this.#segmentFor(this.#pending[0]?.bytes ?? 0);
        batch = this.#take(segment);
        const places = segment.write(batch.map(({ payload }) => payload));
        places.forEach((place, index) => batch[index]?.kept(place));
        this.#report(undefined);
      } catch (error) {
        const problem = error instanceof Error ? error : new Error(String(error));
        // After a failed sync nobody knows what the file holds: what comes next goes to a new one.
        this.#current = undefined;
        if (batch === this.#pending) this.#pending = [];
        for (const { lost } of batch) lost(problem);
        this.#report(problem);
      }
    }
  }

  /** Forgets everything. */
  clear(): void {
    for (const segment of this.#segments) segment.remove();
    this.#segments = [];
    this.#current = undefined;
  }

  /** Removes the oldest segments that nothing is kept in, or that are more than may be kept. */
  sweep(): void {
    let bytes = this.#segments.reduce((sum, segment) => sum + segment.capacity, 0);
    while (this.#segments.length > 0) {
      const [oldest] = this.#segments;
      if (oldest === undefined || oldest === this.#current) break;
      if (oldest.live > 0 && bytes <= this.#options.maxBytes) break;
      this.#segments.shift();
      bytes -= oldest.capacity;
      oldest.remove();
      this.#options.onRemoved(oldest);
    }
  }

  close(): void {
    this.commit();
    this.#current?.trim();
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
    const { folder } = this.#options;
    fs.mkdirSync(folder, { recursive: true });
    const segment = Segment.create(folder, this.#lastNumber + 1, Math.max(this.#nextBytes, atLeast));
    this.#lastNumber = segment.number;
    this.#nextBytes = Math.min(largestSegmentBytes, this.#nextBytes * 2);
    this.#segments.push(segment);
    this.#current = segment;
    this.sweep();
    return segment;
  }

  #report(problem: Error | undefined): void {
    if (problem === undefined && !this.#failing) return;
    this.#failing = problem !== undefined;
    this.#options.onProblem(problem);
  }
}
