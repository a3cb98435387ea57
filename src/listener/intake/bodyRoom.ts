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
  #small = 0;
  #large = 0;
  /** Smallest first. */
  #waiting: Waiting[] = [];

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
      if (first === undefined || (this.#large > 0 && this.#large + first.bytes > largeShare)) return;
      this.#waiting.shift();
      this.#large += first.bytes;
      first.granted();
    }
  }
}
