import * as fs from 'node:fs';
import { Segment } from './segment.ts';

/** The first segment; each further one is twice as large, up to the largest. */
const firstSegmentBytes = 1 << 20;
const largestBytes = 1 << 24;

/** Where the journal's segments come from: the next one is made ready while the one before it is written. */
export class SegmentSupply {
  readonly #folder: string;
  readonly #largestBytes: number;
  #nextBytes = firstSegmentBytes;
  #lastNumber = 0;
  /** Ready to be the next. */
  #spare: Segment | undefined;
  /** The segment for whose end one was prepared, or failed to be. */
  #preparedFor: Segment | undefined;
  /** The number of the one that is being prepared. */
  #underWay: number | undefined;
  #isClosed = false;

  /** @param largestSegmentBytes 16 MiB where it is left out */
  constructor(folder: string, largestSegmentBytes = largestBytes) {
    this.#folder = folder;
    this.#largestBytes = largestSegmentBytes;
  }

  get spare(): Segment | undefined {
    return this.#spare;
  }

  /** Whether it is the one that is being made ready: its file is there already, and nothing in it yet. */
  isPreparing({ number, isOwn }: Segment): boolean {
    return isOwn && number === this.#underWay;
  }

  /** Tells of a segment that another session has made: those to come are numbered after it. */
  seen({ number }: Segment): void {
    this.#lastNumber = Math.max(this.#lastNumber, number);
  }

  /** The next segment, with room for so many bytes. @throws Error of the file system where it cannot be made. */
  next(atLeast: number): Segment {
    const segment = this.#takeSpare(atLeast) ?? this.#create(atLeast);
    this.#nextBytes = Math.min(this.#largestBytes, this.#nextBytes * 2);
    return segment;
  }

  /** Takes a segment in which nothing is kept, to be used again or removed. */
  takeBack(segment: Segment): void {
    if (this.#spare === undefined && segment.capacity >= this.#nextBytes) this.#spare = this.#renew(segment);
    else segment.remove();
  }

  /** Has the next segment ready before this one is full, so that no answer waits for it. */
  async prepareAfter(current: Segment): Promise<void> {
    if (this.#spare !== undefined || this.#underWay !== undefined) return;
    if (current === this.#preparedFor || current.end * 2 < current.capacity) return;
    this.#preparedFor = current;
    this.#underWay = this.#nextNumber();
    try {
      this.#offer(await Segment.prepare(this.#folder, this.#underWay, this.#nextBytes));
    } catch {
      // A disk that is full is reported when the segment is needed.
    } finally {
      this.#underWay = undefined;
    }
  }

  /** Removes what is ready. */
  clear(): void {
    this.#spare?.remove();
    this.#spare = undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.clear();
  }

  #offer(segment: Segment): void {
    if (this.#isClosed || this.#spare !== undefined) segment.remove();
    else this.#spare = segment;
  }

  #takeSpare(atLeast: number): Segment | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare === undefined) return undefined;
    if (spare.capacity < atLeast) {
      spare.remove();
      return undefined;
    }
    // The files are read by their numbers, and one with a higher number was begun before this was ready.
    return spare.number === this.#lastNumber ? spare : this.#renew(spare);
  }

  #renew(segment: Segment): Segment | undefined {
    try {
      return segment.reuse(this.#folder, this.#nextNumber());
    } catch {
      // A disk that takes nothing is reported when a segment is created.
      segment.remove();
      return undefined;
    }
  }

  #create(atLeast: number): Segment {
    fs.mkdirSync(this.#folder, { recursive: true });
    return Segment.create(this.#folder, this.#nextNumber(), Math.max(firstSegmentBytes, atLeast));
  }

  #nextNumber(): number {
    this.#lastNumber += 1;
    return this.#lastNumber;
  }
}
