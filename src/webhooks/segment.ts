import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { promises } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

const markerBytes = 8;
/** The marker, the length of the payload and its checksum. */
const headerBytes = markerBytes + 4 + 4;
const namePattern = /^(\d{12})-([0-9a-f]{16})-(\d+)\.journal$/;
const zeros = Buffer.alloc(1 << 20);

/** Where a record lies. */
export interface Place {
  segment: Segment;
  /** Of the payload, in bytes from the start of the file. */
  offset: number;
  length: number;
}

/**
 * One file of the journal. A record is the segment's marker, the length of the payload, its CRC-32 and the
 * payload. The marker is random and known from the file's name alone, so that neither what a sender writes into
 * a body nor what a file held before is ever taken for a record; and after a damaged one, the next is found by it.
 */
export class Segment {
  readonly path: string;
  readonly number: number;
  /** The process that writes it, or wrote it. */
  readonly #owner: number;
  /** The size of the file; what lies behind `end` is zeros. */
  readonly capacity: number;
  readonly #fd: number;
  readonly #marker: Buffer;
  /** Where the next record goes: behind the last one that is on the disk. */
  end = 0;
  /** Behind the last one that was written. */
  #written = 0;
  /** How many syncs of another thread are under way. */
  #syncs = 0;
  #closing = false;
  /** How many deliveries in it are still kept. */
  live = 0;

  private constructor(folder: string, { number, marker, owner }: SegmentName, fd: number, capacity: number) {
    this.path = join(folder, nameOf({ number, marker, owner }));
    this.number = number;
    this.capacity = capacity;
    this.#owner = owner;
    this.#fd = fd;
    this.#marker = marker;
  }

  /**
   * A new file, filled with zeros and on the disk with its directory entry: a sync after a record then has no
   * metadata to write.
   */
  static create(folder: string, number: number, capacity: number): Segment {
    const name = newName(number);
    const path = join(folder, nameOf(name));
    const fd = fs.openSync(path, 'wx+', 0o600);
    try {
      for (let at = 0; at < capacity; at += zeros.length) {
        writeWhole(fd, [zeros.subarray(0, Math.min(zeros.length, capacity - at))], at);
      }
      fs.fsyncSync(fd);
      syncFolder(folder);
      return new Segment(folder, name, fd, capacity);
    } catch (error) {
      fs.closeSync(fd);
      fs.rmSync(path, { force: true });
      throw error;
    }
  }

  /** The same as {@link Segment.create} without holding up this thread, for a segment that will be needed soon. */
  static async prepare(folder: string, number: number, capacity: number): Promise<Segment> {
    const name = newName(number);
    const path = join(folder, nameOf(name));
    try {
      const file = await promises.open(path, 'wx+', 0o600);
      try {
        for (let at = 0; at < capacity; at += zeros.length) {
          const { bytesWritten } = await file.write(zeros, 0, Math.min(zeros.length, capacity - at), at);
          if (bytesWritten === 0) throw new Error('The disk is full.');
        }
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolderSoon(folder);
      return new Segment(folder, name, fs.openSync(path, 'r+'), capacity);
    } catch (error) {
      await promises.rm(path, { force: true });
      throw error;
    }
  }

  /** Makes a new segment of one in which nothing is kept: its blocks are on the disk already. */
  reuse(folder: string, number: number): Segment {
    const name = newName(number);
    const path = join(folder, nameOf(name));
    fs.renameSync(this.path, path);
    syncFolder(folder);
    const reused = new Segment(folder, name, fs.openSync(path, 'r+'), this.capacity);
    this.close();
    return reused;
  }

  /** A file of another session, or undefined where the name is not that of a segment. */
  static open(folder: string, fileName: string): Segment | undefined {
    const [, number, marker, owner] = namePattern.exec(fileName) ?? [];
    if (number === undefined || marker === undefined) return undefined;
    const fd = fs.openSync(join(folder, fileName), 'r');
    const name = { number: Number(number), marker: Buffer.from(marker, 'hex'), owner: Number(owner) };
    return new Segment(folder, name, fd, fs.fstatSync(fd).size);
  }

  /** Whether this process writes it, or wrote it. */
  get isOwn(): boolean {
    return this.#owner === process.pid;
  }

  /** Whether another process that is still there may go on writing it. */
  get isForeign(): boolean {
    return !this.isOwn && isAlive(this.#owner);
  }

  /** How many bytes of the file a record of `length` bytes takes. */
  static recordBytes(length: number): number {
    return headerBytes + length;
  }

  /** Writes the records one after the other with one call. They are kept when a sync after it has succeeded. */
  write(payloads: readonly (readonly Uint8Array[])[]): Place[] {
    const parts: Uint8Array[] = [];
    let offset = this.end;
    const places = payloads.map((payload) => {
      const header = Buffer.allocUnsafe(headerBytes);
      let length = 0;
      let checksum = 0;
      for (const part of payload) {
        length += part.length;
        checksum = crc32(part, checksum);
      }
      this.#marker.copy(header);
      header.writeUInt32LE(length, markerBytes);
      header.writeUInt32LE(checksum, markerBytes + 4);
      parts.push(header, ...payload);
      const place = { segment: this, offset: offset + headerBytes, length };
      offset = place.offset + length;
      return place;
    });
    writeWhole(this.#fd, parts, this.end);
    this.#written = offset;
    return places;
  }

  /** Has on the disk what was written. */
  sync(): void {
    fs.fdatasyncSync(this.#fd);
    this.end = this.#written;
  }

  /** {@link Segment.sync} without holding up this thread. */
  syncSoon(done: (error: Error | null) => void): void {
    const end = this.#written;
    this.#syncs += 1;
    fs.fdatasync(this.#fd, (error) => {
      this.#syncs -= 1;
      if (this.#closing && this.#syncs === 0) fs.closeSync(this.#fd);
      // A later sync may have returned before this one.
      if (error === null) this.end = Math.max(this.end, end);
      done(error);
    });
  }

  /** The payload of a record; undefined where it is not there any more: its file's owner has used it again. */
  read({ offset, length }: Place): Buffer | undefined {
    const bytes = Buffer.allocUnsafe(headerBytes + length);
    const got = fs.readSync(this.#fd, bytes, 0, bytes.length, offset - headerBytes);
    return this.#payloadAt(bytes.subarray(0, got), 0);
  }

  /**
   * The whole records that have not been read yet, in order: one that is torn or damaged is passed over. Another
   * session may have added some since the last time.
   */
  *records(): Generator<{ place: Place; payload: Buffer }> {
    const start = this.end;
    const file = Buffer.allocUnsafe(Math.max(0, fs.fstatSync(this.#fd).size - start));
    const bytes = file.subarray(0, fs.readSync(this.#fd, file, 0, file.length, start));
    let at = bytes.indexOf(this.#marker);
    while (at !== -1) {
      const payload = this.#payloadAt(bytes, at);
      let next = at + 1;
      if (payload !== undefined) {
        const payloadAt = at + headerBytes;
        next = payloadAt + payload.length;
        this.end = start + next;
        yield { place: { segment: this, offset: start + payloadAt, length: payload.length }, payload };
      }
      at = bytes.indexOf(this.#marker, next);
    }
  }

  /** The payload of the record that begins there; undefined where none does, or it is torn or damaged. */
  #payloadAt(bytes: Buffer, at: number): Buffer | undefined {
    const payloadAt = at + headerBytes;
    if (payloadAt > bytes.length || !bytes.subarray(at, at + markerBytes).equals(this.#marker))
      return undefined;
    const length = bytes.readUInt32LE(at + markerBytes);
    const payload = bytes.subarray(payloadAt, payloadAt + length);
    const isWhole = payload.length === length && crc32(payload) === bytes.readUInt32LE(at + markerBytes + 4);
    return isWhole ? payload : undefined;
  }

  /** Gives back what was filled with zeros and not used. */
  trim(): void {
    fs.ftruncateSync(this.#fd, this.end);
  }

  /**
   * Takes out what was written and could not be synced: nobody has acknowledged it, so that it will come again,
   * and would then be there twice.
   */
  forsake(): void {
    try {
      this.trim();
    } catch {
      // The disk that does not take a record may not take this either: the repeat is seen by its request id.
    }
  }

  /** Closes the file, as soon as no other thread of the process is at work on it. */
  close(): void {
    this.#closing = true;
    if (this.#syncs === 0) fs.closeSync(this.#fd);
  }

  remove(): void {
    this.close();
    fs.rmSync(this.path, { force: true });
  }
}

interface SegmentName {
  number: number;
  marker: Buffer;
  owner: number;
}

function newName(number: number): SegmentName {
  return { number, marker: randomBytes(markerBytes), owner: process.pid };
}

function nameOf({ number, marker, owner }: SegmentName): string {
  return `${number.toString().padStart(12, '0')}-${marker.toString('hex')}-${owner}.journal`;
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function writeWhole(fd: number, parts: readonly Uint8Array[], position: number): void {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  if (fs.writevSync(fd, parts, position) < bytes) throw new Error('The disk took only a part of a record.');
}

/** Windows cannot open a folder, and needs no such sync. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

async function syncFolderSoon(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await promises.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
