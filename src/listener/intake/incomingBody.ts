import type { Socket } from 'node:net';
import { mostBodyBytes } from '../../model/processes/listenerProtocol.ts';
import { type BodyRoom, BodyShare, smallBytes } from './bodyRoom.ts';
import { GrowingBuffer } from './growingBuffer.ts';
import type { HeldRequest } from './heldRequest.ts';
import { headerOf } from '../../webhooks/signature/signature.ts';

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
    request
      .on('data', (piece: Buffer) => this.#receive(piece))
      .on('end', () => this.#finish())
      .on('close', cut)
      .on('error', cut);
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
   */
  // guard S13: A refused request is answered once its body has ended.
  drop(refuse: () => void = () => undefined): void {
    this.#isDropped = true;
    this.#refuse = refuse;
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
    if (!this.#isDropped) this.#done?.({ kind: 'cut', length: this.#length, beginning, wasLate });
  }

  #release(): void {
    this.#buffer = undefined;
    this.share.free();
  }
}
