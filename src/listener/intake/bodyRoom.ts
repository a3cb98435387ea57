/** Up to this size a body is a small one, in bytes. */
// guard: deliveries up to 64 KB are taken beside it
export const smallBytes = 64 * 1024;

const mebibyte = 1024 * 1024;
/** What small bodies may take together, and what there is of larger ones: 64 MiB in all. */
const smallShare = 16 * mebibyte;
const largeShare = 48 * mebibyte;

interface Waiting {
  bytes: number;
  granted: () => void;
}

/** What one body takes of the room. */
export class BodyShare {
  readonly #room: BodyRoom;
  #small = 0;
  #large = 0;
  #isWaiting = false;
  #stopWaiting: () => void = () => undefined;

  constructor(room: BodyRoom) {
    this.#room = room;
  }

  /** What it takes of the room for small bodies. */
  get small(): number {
    return this.#small;
  }

  /** What it takes of the room for larger ones. */
  get large(): number {
    return this.#large;
  }

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Takes so many bytes as a small one, unless it has the room of a larger one. */
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

  /** From here on it takes so many bytes, and no more: it has come whole. */
  settle(bytes: number): void {
    if (this.#large === 0) {
      this.takeSmall(bytes);
    } else {
      const tooMuch = this.#large - bytes;
      this.#large = bytes;
      this.#room.giveLarge(tooMuch);
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
 * The memory for bodies under way: while they come, and until they are kept. Small bodies have a share of their own
 * and take of it what has come; a larger one is given room for the whole of it before it is read on, so that none
 * of those that are being read waits for another.
 */
export class BodyRoom {
  #small = 0;
  #large = 0;
  /** The smallest first. */
  #waiting: Waiting[] = [];

  get taken(): number {
    return this.#small + this.#large;
  }

  /** Whether small bodies take more than is theirs. */
  get isOverfull(): boolean {
    return this.#small > smallShare;
  }

  get isWaitedFor(): boolean {
    return this.#waiting.length > 0;
  }

  /** @param bytes more or, where it is negative, fewer than before */
  takeSmall(bytes: number): void {
    this.#small += bytes;
  }

  /**
   * Calls back as soon as there is room for a larger body, at once where there is. One always finds room.
   * @returns ends the waiting
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
      // guard: whoever does not fit waits at his sender
      if (first === undefined || (this.#large > 0 && this.#large + first.bytes > largeShare)) return;
      this.#waiting.shift();
      this.#large += first.bytes;
      first.granted();
    }
  }
}
