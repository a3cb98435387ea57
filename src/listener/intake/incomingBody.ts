import type { Socket } from 'node:net';
import { mostBodyBytes } from '../../deliveries/listenerProtocol.ts';
import { headerOf } from '../../service/signature/signature.ts';
import { IncomingMessage } from 'node:http';

/** How the reading of a body ended. */
export type ReadBody =
  /** `free` releases the body's memory share: call it once the body is stored or lost. */
  { kind: 'whole'; body: Buffer; free: () => void } | { kind: 'tooLarge' } | CutBody;

/** A body that was cut off: its sender disconnected, or was disconnected. */
export interface CutBody {
  kind: 'cut';
  /** How many bytes arrived. */
  length: number;
  /** The first of those bytes, at most `mostOfCut`. */
  beginning: Buffer;
  /** Whether it was disconnected because the body arrived too slowly. */
  wasLate: boolean;
}

/** Hands out the memory and the processing time for bodies. */
export interface BodyOwner {
  room: BodyRoom;
  /** Called when small bodies exceed their share: makes at least one of them give its memory back. */
  makeRoom(): void;
  /** Queues the work: calls it in its own turn of the event loop, after all work queued earlier is done. */
  inTurn(work: (done: () => void) => void): void;
  /** Closes the connection, once the requests before were answered. */
  leave(socket: Socket): void;
}

/** After this many pieces the body yields to other work: a piece may be one byte, and takes a microsecond. */
const piecesATurn = 512;
/** Bytes that may still arrive from a paused connection: the rest of one read, which is at most 64 KB. */
const mostWhileHeld = 128 * 1024;
/**
 * How many bytes of a refused request are read and discarded: many senders read no answer before they have written all.
 * It is more than the largest body that any setting allows.
 */
export const mostDropped = mostBodyBytes + 16 * 1024 * 1024;

/** How many bytes of a cut-off body are reported. */
const mostOfCut = 4096;

const empty = Buffer.alloc(0);

/** A body on its way in. */
export class IncomingBody {
  readonly #request: HeldRequest;
  readonly #owner: BodyOwner;
  /** The Content-Length; 0 if there is none. */
  readonly announced: number;
  #most = 0;
  #done: ((read: ReadBody) => void) | undefined;
  /** Answers that the request is refused; undefined once it has, or if it is not refused. */
  #refuse: (() => void) | undefined;
  #onDropped: (beginning: Buffer) => void = () => undefined;
  /** The first bytes of a body that is dropped. */
  #dropped = empty;
  #hasBegun = false;
  #isDropped = false;
  #isOver = false;
  #isCut = false;
  #length = 0;
  #buffer: GrowingBuffer | undefined;
  readonly share: BodyShare;
  #isResting = false;
  #pieces = 0;
  #lengthWhenHeld = 0;
  /** Bytes that arrived since the last call of {@link expect}. */
  #arrivedSinceExpect = 0;
  #behind = 0;

  constructor(request: HeldRequest, owner: BodyOwner) {
    this.#request = request;
    this.#owner = owner;
    this.share = new BodyShare(owner.room);
    this.announced = Number(headerOf(request.rawHeaders, 'content-length') ?? 0);
    // `close` without `end`: the connection broke off before the whole body was here.
    const cut = (): void => this.#cut();
    request.on('close', cut).on('error', cut);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether more of the body is expected, and wanted. */
  get isComing(): boolean {
    return !this.#isOver && !this.#isDropped;
  }

  /** Whether all of it has arrived, although it may not have been read yet. */
  get isWhole(): boolean {
    return this.#request.complete;
  }

  /** Whether its request is going to be answered, unless the sender goes before that. */
  get isDue(): boolean {
    return !this.#isCut && (this.isWhole || this.#isDropped);
  }

  /** How far it is behind its pace, in milliseconds; time spent waiting for room counts too. */
  get behind(): number {
    return this.#behind;
  }

  /**
   * Reads the raw bytes of the body.
   * @param most the size limit, in bytes
   * @param onRoom called when there is room for it, before it is read
   * @param done called once
   */
  read(most: number, onRoom: () => void, done: (read: ReadBody) => void): void {
    this.#most = most;
    this.#done = done;
    this.#begin();
    if (this.announced > most) {
      done({ kind: 'tooLarge' });
    } else if (this.announced > smallBytes) {
      this.#askForRoom(this.announced, onRoom);
    } else {
      onRoom();
    }
  }

  /**
   * Discards the body. Reads on up to a limit, so that its sender gets to read the answer.
   * @param refuse answers; called when the body has ended, or its limit of size or time is reached
   * @param onDropped called after that, or when the sender has gone, with the first bytes
   */
  // guard S13: A refused request is answered once its body has ended.
  drop(refuse: () => void = () => undefined, onDropped?: (beginning: Buffer) => void): void {
    this.#isDropped = true;
    this.#refuse = refuse;
    this.#onDropped = onDropped ?? this.#onDropped;
    this.#dropped = Buffer.from(this.#buffer?.beginning(mostOfCut) ?? empty);
    this.#begin();
    this.#release();
    this.#updateHold();
    if (this.#isOver) this.#refuseNow();
  }

  /**
   * Closes the connection. Without an answer, unless the request is refused: the service retries after that, but never
   * after a 5xx.
   * @param wasLate whether the body arrived too slowly
   */
  breakOff(wasLate = false): void {
    if (this.#isDropped) this.#refuseNow();
    else this.#cut(wasLate);
    this.#owner.leave(this.#request.socket);
  }

  /** Updates {@link behind} after `ms` milliseconds, given the expected pace in bytes per millisecond. */
  expect(ms: number, pace: number): void {
    this.#behind = Math.max(0, this.#behind + ms - this.#arrivedSinceExpect / pace);
    this.#arrivedSinceExpect = 0;
  }

  /** Nothing of it is read before: it may have to be found out first whether it is wanted. */
  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#request.on('data', (piece: Buffer) => this.#receive(piece)).on('end', () => this.#finish());
  }

  #receive(piece: Buffer): void {
    if (this.#isOver) return;
    this.#arrivedSinceExpect += piece.length;
    this.#length += piece.length;
    this.#pieces += 1;
    if (this.#request.isHeld && this.#length - this.#lengthWhenHeld > mostWhileHeld) {
      this.breakOff();
    } else if (this.#isDropped) {
      if (this.#length > mostDropped) this.breakOff();
    } else if (this.#length > this.#most) {
      this.#done?.({ kind: 'tooLarge' });
    } else {
      this.#store(piece);
    }
    if (this.#isDropped && this.#dropped.length < mostOfCut)
      this.#dropped = Buffer.concat([this.#dropped, piece]).subarray(0, mostOfCut);
    if (this.#pieces > piecesATurn && !this.#isResting && !this.isOver) this.#rest();
  }

  #store(piece: Buffer): void {
    this.#buffer ??= new GrowingBuffer(this.announced === 0 ? this.#most : this.announced);
    this.#buffer.push(piece);
    this.share.takeSmall(this.#buffer.capacity);
    if (this.#owner.room.isOverfull) this.#owner.makeRoom();
    const { large, isWaiting } = this.share;
    if (this.#length > smallBytes && large === 0 && !isWaiting && !this.isOver) {
      this.#askForRoom(this.#most, () => undefined);
    }
  }

  #askForRoom(bytes: number, onRoom: () => void): void {
    this.share.askForLarge(bytes, () => {
      this.#behind = 0;
      this.#updateHold();
      onRoom();
    });
    this.#updateHold();
  }

  #rest(): void {
    this.#isResting = true;
    this.#updateHold();
    this.#owner.inTurn((done) => {
      this.#pieces = 0;
      this.#isResting = false;
      this.#updateHold();
      done();
    });
  }

  /** Pauses or resumes the connection, to match the current state. */
  #updateHold(): void {
    this.#lengthWhenHeld = this.#length;
    this.#request.hold(!this.#isOver && (this.#isResting || this.share.isWaiting));
  }

  #refuseNow(): void {
    this.#isOver = true;
    const refuse = this.#refuse;
    this.#refuse = undefined;
    refuse?.();
    this.#onDropped(this.#dropped);
  }

  #finish(): void {
    if (this.#isOver) return;
    if (this.#isDropped) {
      this.#refuseNow();
      return;
    }
    const body = this.#buffer?.take() ?? empty;
    this.#buffer = undefined;
    this.#isOver = true;
    this.#updateHold();
    this.share.settle(body.length);
    if (this.share.large === 0) {
      this.#done?.({ kind: 'whole', body, free: () => this.share.free() });
      return;
    }
    // Large bodies are processed one at a time, since each is slow: smaller ones are answered in between.
    this.#owner.inTurn((kept) => {
      const free = (): void => {
        this.share.free();
        kept();
      };
      const isWanted = !this.#request.socket.destroyed;
      if (isWanted) {
        this.#done?.({ kind: 'whole', body, free });
        return;
      }
      const beginning = body.subarray(0, mostOfCut);
      this.#done?.({ kind: 'cut', length: body.length, beginning, wasLate: false });
      free();
    });
  }

  #cut(wasLate = false): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isCut = true;
    const beginning = this.#buffer?.beginning(mostOfCut) ?? empty;
    this.#release();
    this.#updateHold();
    if (this.#isDropped) this.#onDropped(this.#dropped);
    else this.#done?.({ kind: 'cut', length: this.#length, beginning, wasLate });
  }

  #release(): void {
    this.#buffer = undefined;
    this.share.free();
  }
}

/** The smallest allocation, in bytes. */
const leastBytes = 1024;

/**
 * Copies incoming pieces into one buffer, so that the pieces' underlying buffers are not retained and a thousand
 * pieces are one object. Its capacity is at most twice what has arrived, or `leastBytes`.
 */
export class GrowingBuffer {
  readonly #most: number;
  #bytes = new Uint8Array(0);
  #length = 0;

  /** @param most the maximum number of bytes that will arrive */
  constructor(most: number) {
    this.#most = most;
  }

  /** The allocated memory, in bytes. */
  get capacity(): number {
    return this.#bytes.length;
  }

  push(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.capacity) {
      const wanted = Math.max(length, Math.min(this.#most, Math.max(leastBytes, 2 * this.capacity)));
      // Unlike a copy, a transfer frees the old memory at once, without waiting for garbage collection.
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(wanted));
    }
    // guard S16: A body takes memory for its bytes, however small the pieces are.
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** A view of at most the first `most` bytes. It is valid until the next push. */
  beginning(most: number): Buffer {
    return Buffer.from(this.#bytes.buffer, 0, Math.min(most, this.#length));
  }

  /** Returns everything that has arrived. Nothing can be pushed afterwards. */
  take(): Buffer {
    return Buffer.from(this.#bytes.buffer.transfer(this.#length));
  }
}

/** The largest size at which a body counts as small, in bytes. */
// guard S81: Deliveries up to 64 KB are taken beside a flood.
export const smallBytes = 64 * 1024;

const mebibyte = 1024 * 1024;
/** The memory for all small bodies together, and for all larger ones, in bytes: 64 MiB in total. */
const smallShare = 16 * mebibyte;
const largeShare = 48 * mebibyte;

interface Waiting {
  bytes: number;
  granted: () => void;
}

/** The memory that one body takes from the room. */
export class BodyShare {
  readonly #room: BodyRoom;
  #small = 0;
  #large = 0;
  #isWaiting = false;
  #stopWaiting: () => void = () => undefined;

  constructor(room: BodyRoom) {
    this.#room = room;
  }

  /** Bytes taken from the share for small bodies. */
  get small(): number {
    return this.#small;
  }

  /** Bytes taken from the share for larger bodies. */
  get large(): number {
    return this.#large;
  }

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Sets how many bytes it takes from the small share; no effect once it has room in the large share. */
  takeSmall(bytes: number): void {
    if (this.#large > 0) return;
    this.#room.takeSmall(bytes - this.#small);
    this.#small = bytes;
  }

  askForLarge(bytes: number, granted: () => void): void {
    this.#isWaiting = true;
    this.#stopWaiting = this.#room.takeLarge(bytes, () => {
      this.#isWaiting = false;
      this.takeSmall(0);
      this.#large = bytes;
      granted();
    });
  }

  /** Sets the final size, in bytes, once the whole body has arrived. */
  settle(bytes: number): void {
    if (this.#large === 0) {
      this.takeSmall(bytes);
    } else {
      const excess = this.#large - bytes;
      this.#large = bytes;
      this.#room.giveLarge(excess);
    }
  }

  free(): void {
    this.#stopWaiting();
    this.#isWaiting = false;
    this.takeSmall(0);
    const large = this.#large;
    this.#large = 0;
    if (large > 0) this.#room.giveLarge(large);
  }
}

/**
 * The memory for bodies from their first byte until they are stored. Small bodies have their own share and take from
 * it what has arrived. A larger body gets room for its full size before reading continues, so that bodies being read
 * never wait for each other.
 */
export class BodyRoom {
  readonly #largeShare: number;
  #small = 0;
  #large = 0;
  /** Smallest first. */
  #waiting: Waiting[] = [];

  /** @param share the memory for all larger bodies together, in bytes */
  constructor(share = largeShare) {
    this.#largeShare = share;
  }

  get taken(): number {
    return this.#small + this.#large;
  }

  /** Whether small bodies take more than their share. */
  get isOverfull(): boolean {
    return this.#small > smallShare;
  }

  get isWaitedFor(): boolean {
    return this.#waiting.length > 0;
  }

  /** @param bytes the change in bytes; negative gives memory back */
  takeSmall(bytes: number): void {
    this.#small += bytes;
  }

  /**
   * Calls back as soon as there is room for a larger body, synchronously if there is room now. A single body always
   * gets room, whatever its size.
   * @returns a function that cancels the wait
   */
  takeLarge(bytes: number, granted: () => void): () => void {
    const waiting = { bytes, granted };
    this.#waiting.push(waiting);
    this.#waiting.sort((one, other) => one.bytes - other.bytes);
    this.#grant();
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
    };
  }

  giveLarge(bytes: number): void {
    this.#large -= bytes;
    this.#grant();
  }

  #grant(): void {
    for (;;) {
      const [first] = this.#waiting;
      // guard S16: A body that does not fit yet is not read from its connection.
      if (first === undefined || (this.#large > 0 && this.#large + first.bytes > this.#largeShare)) return;
      this.#waiting.shift();
      this.#large += first.bytes;
      first.granted();
    }
  }
}

/** A request whose connection can be paused, which makes the sender wait. */
export class HeldRequest extends IncomingMessage {
  #isHeld = false;

  get isHeld(): boolean {
    return this.#isHeld;
  }

  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    if (isHeld) this.socket.pause();
    else this.socket.resume();
  }

  /** Node calls this when the stream is ready for more, which would resume the connection. */
  override _read(size: number): void {
    if (!this.#isHeld) super._read(size);
  }
}
