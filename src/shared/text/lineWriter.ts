/** How much waits for a reader at most, in characters, before lines are left out: thousands of lines. */
const mostWaiting = 1024 * 1024;

/** The part of Node's streams that is needed to write lines. */
export interface LineStream {
  /** How much waits to be written. */
  readonly writableLength: number;
  /** @param written called once all up to this is written, or cannot be */
  write(text: string, written?: () => void): unknown;
}

/** A stream of Node for a terminal. This part is not documented. */
interface TerminalStream extends LineStream {
  isTTY?: boolean;
  _handle?: { setBlocking?: (isBlocking: boolean) => unknown } | null;
}

/**
 * Writes lines for a reader who may stop reading: a terminal after Ctrl-S, a stalled connection, a pipe. Nothing waits
 * for the reader, and memory is bounded: see {@link leaveOut}.
 */
export class LineWriter {
  readonly #stream: LineStream;
  readonly #notShown: (lines: number) => string;
  #most = Number.POSITIVE_INFINITY;
  /** How many lines were left out since the reader has stopped. */
  #leftOut = 0;

  /** @param notShown the line that says how many lines were left out */
  constructor(stream: LineStream, notShown: (lines: number) => string) {
    this.#stream = stream;
    this.#notShown = notShown;
  }

  /** Writes to a terminal without waiting for it, as to a pipe: by default, Node stands still until it is read. */
  goOn(): void {
    const { isTTY, _handle: handle } = this.#stream as TerminalStream;
    if (isTTY === true) handle?.setBlocking?.(false);
  }

  /** From now on, leaves lines out while too much waits to be read, until all of that was read. */
  leaveOut(most = mostWaiting): void {
    this.#most = most;
  }

  line(text: string): void {
    const waiting = this.#stream.writableLength;
    if (this.#leftOut > 0) {
      this.#leftOut += 1;
    } else if (waiting > 0 && waiting + text.length > this.#most) {
      // guard S126: Lines are left out, and counted, while nobody reads them.
      this.#leftOut = 1;
      this.#stream.write('', () => this.#tell());
    } else {
      this.#stream.write(`${text}\n`);
    }
  }

  /** Whether more waits to be read than is good to wait in memory. */
  get isFull(): boolean {
    return this.#stream.writableLength > mostWaiting;
  }

  /** Resolves once all lines are written, or cannot be. */
  async written(): Promise<void> {
    await new Promise<void>((resolve) => this.#stream.write('', resolve));
  }

  #tell(): void {
    const lines = this.#leftOut;
    this.#leftOut = 0;
    this.#stream.write(`${this.#notShown(lines)}\n`);
  }
}

/** The line that says how many lines were left out, for a person. */
export function notShownText(lines: number): string {
  const were = lines === 1 ? '1 line was' : `${lines} lines were`;
  return `… ${were} not shown, since what was printed before was not read.`;
}
