import { type BodyRoom, BodyShare, smallBytes } from './bodyRoom.ts';
import { GrowingBuffer } from './growingBuffer.ts';
import type { HeldRequest } from './heldRequest.ts';
import { headerOf } from '../../webhooks/signature/rawHeaders.ts';

/** How the reading of a body ended. */
export type ReadBody =
  /** `free` gives back the room that the body takes: to be called when it is kept, or lost. */
  { kind: 'whole'; body: Buffer; free: () => void } | { kind: 'tooLarge' } | CutBody;

/** One that broke off: its sender has gone, or was thrown out. */
export interface CutBody {
  kind: 'cut';
  /** How many bytes came. */
  length: number;
  /** The first of them. */
  beginning: Buffer;
  /** It was thrown out, since no more came in time. */
  wasLate: boolean;
}

/** Who has the memory and the time that bodies take. */
export interface BodyOwner {
  room: BodyRoom;
  /** Small bodies take more than is theirs: has one of them give back what it takes. */
  makeRoom(): void;
  /** Calls back in a turn of its own, before which all others that were asked for are done. */
  inTurn(work: (done: () => void) => void): void;
}

/** After so many pieces others have their turn: a piece may be one byte, and takes a microsecond. */
const piecesATurn = 512;
/** What comes of a connection that is read no more: the rest of what was read with one call, 64 KB at most. */
const mostWhileHeld = 128 * 1024;
/** So much of a body that is not taken is read, so that its sender gets to read its answer. */
const mostDropped = 64 * 1024 * 1024;

/** So much of a body that breaks off is looked at. */
const mostOfCut = 4096;

const empty = Buffer.alloc(0);

/** A body on its way in. */
export class IncomingBody {
  readonly #request: HeldRequest;
  readonly #owner: BodyOwner;
  /** How many bytes the sender has announced; 0 where it has not. */
  readonly announced: number;
  #most = 0;
  #done: ((read: ReadBody) => void) | undefined;
  #isDropped = false;
  #isOver = false;
  #length = 0;
  #buffer: GrowingBuffer | undefined;
  readonly share: BodyShare;
  #isResting = false;
  #pieces = 0;
  #lengthWhenHeld = 0;
  /** Bytes that came since it was last looked how far it is behind. */
  #fresh = 0;
  #behind = 0;

  constructor(request: HeldRequest, owner: BodyOwner) {
    this.#request = request;
    this.#owner = owner;
    this.share = new BodyShare(owner.room);
    this.announced = Number(headerOf(request.rawHeaders, 'content-length') ?? 0);
    // `close` without `end`: the connection broke off before the whole body was here.
    const cut = (): void => this.#cut();
    request
      .on('data', (piece: Buffer) => this.#take(piece))
      .on('end', () => this.#finish())
      .on('close', cut)
      .on('error', cut);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it is still to be taken. */
  get isComing(): boolean {
    return !this.#isOver && !this.#isDropped;
  }

  /** How far it is behind its pace, in milliseconds; or has waited for room. */
  get behind(): number {
    return this.#behind;
  }

  /**
   * Reads its raw bytes, at most so many.
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

  /** Reads it without keeping it, so that its sender gets to read its answer; not without end. */
  drop(): void {
    this.#isDropped = true;
    this.#giveBack();
    this.#hold();
  }

  /**
   * Closes the connection without an answer: the service repeats that, and never a 5xx.
   * @param wasLate whether no more came in time
   */
  breakOff(wasLate = false): void {
    this.#request.socket.destroy();
    this.#cut(wasLate);
  }

  /** Some milliseconds have gone by, and it was to come at a pace, in bytes a millisecond. */
  expect(ms: number, pace: number): void {
    this.#behind = Math.max(0, this.#behind + ms - this.#fresh / pace);
    this.#fresh = 0;
  }

  #take(piece: Buffer): void {
    if (this.#isOver) return;
    this.#fresh += piece.length;
    this.#length += piece.length;
    this.#pieces += 1;
    if (this.#request.isHeld && this.#length - this.#lengthWhenHeld > mostWhileHeld) {
      this.breakOff();
    } else if (this.#isDropped) {
      if (this.#length > mostDropped) this.breakOff();
    } else if (this.#length > this.#most) {
      this.#done?.({ kind: 'tooLarge' });
    } else {
      this.#gather(piece);
    }
    if (this.#pieces > piecesATurn && !this.#isResting && !this.isOver) this.#rest();
  }

  #gather(piece: Buffer): void {
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
      this.#hold();
      onRoom();
    });
    this.#hold();
  }

  #rest(): void {
    this.#isResting = true;
    this.#hold();
    this.#owner.inTurn((done) => {
      this.#pieces = 0;
      this.#isResting = false;
      this.#hold();
      done();
    });
  }

  /** Has the connection read, or not, as it is now. */
  #hold(): void {
    this.#lengthWhenHeld = this.#length;
    this.#request.hold(!this.#isOver && (this.#isResting || this.share.isWaiting));
  }

  #finish(): void {
    if (!this.isComing) {
      this.#cut();
      return;
    }
    const body = this.#buffer?.take() ?? empty;
    this.#buffer = undefined;
    this.#isOver = true;
    this.#hold();
    this.share.settle(body.length);
    if (this.share.large === 0) {
      this.#done?.({ kind: 'whole', body, free: () => this.share.free() });
      return;
    }
    // One after the other, since each takes its time: smaller ones are answered in between.
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
    const beginning = this.#buffer?.beginning(mostOfCut) ?? empty;
    this.#giveBack();
    this.#hold();
    if (!this.#isDropped) this.#done?.({ kind: 'cut', length: this.#length, beginning, wasLate });
  }

  #giveBack(): void {
    this.#buffer = undefined;
    this.share.free();
  }
}
