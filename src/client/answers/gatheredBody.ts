import { RunIdSearch } from './runIdSearch.ts';

/** So much of a body is looked through for an id as a whole, and is there to be shown, in bytes. */
const beginningBytes = 4 * 1024 * 1024;
/** A longer text, in UTF-16 units, is not compared with deliveries. */
const longestWhole = 256 * 1024;

/** Takes the bytes of a body one after the other. It never rejects: what cannot be kept stops nothing. */
export interface BodyFile {
  append(bytes: Uint8Array): Promise<void>;
}

export interface GatheredBodyOptions {
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Undefined where nothing of it is kept: no more is held then than is looked through. */
  file: BodyFile | undefined;
  /** So many bytes are held in memory for whoever wants all of them. */
  hold?: number;
}

/**
 * An answer's body, gathered once while it comes: its beginning for the screen, all of it for the file, and the run's id
 * that it names. Whoever pushes waits for the file, and so does the socket. Memory is bounded, however long the body is.
 */
export class GatheredBody {
  readonly #file: BodyFile | undefined;
  readonly #hold: number;
  readonly #search: RunIdSearch;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #bytes = 0;

  constructor({ headers, file, hold = 0 }: GatheredBodyOptions) {
    this.#file = file;
    this.#hold = Math.max(hold, beginningBytes);
    this.#search = new RunIdSearch(headers['x-run-id']);
  }

  /** How much has come. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The run's id, as soon as it is known. */
  get runId(): string | undefined {
    return this.#search.id;
  }

  /** The first bytes: as much as is shown, and more. */
  get beginning(): Uint8Array {
    return this.#joined().subarray(0, beginningBytes);
  }

  /** All bytes that have come; undefined where there are more than are held. */
  get whole(): Uint8Array | undefined {
    return this.#bytes === this.#heldBytes ? this.#joined() : undefined;
  }

  /** The text of all that has come; undefined where it is too long to compare, or no text. */
  get text(): string | undefined {
    // No character takes more than three bytes for each of its units.
    if (this.#bytes > 3 * longestWhole) return undefined;
    const text = new TextDecoder().decode(this.whole);
    return text.length <= longestWhole && !text.includes('\ufffd') ? text : undefined;
  }

  async push(piece: Uint8Array): Promise<void> {
    this.#bytes += piece.length;
    const held = piece.subarray(0, this.#hold - this.#heldBytes);
    if (held.length > 0) this.#held.push(held);
    this.#heldBytes += held.length;
    this.#search.push(piece);
    await this.#file?.append(piece);
  }

  /** The body is complete, or will not come further. */
  end(): void {
    this.#search.end(this.beginning);
  }

  #joined(): Uint8Array {
    const [only] = this.#held;
    if (this.#held.length === 1 && only !== undefined) return only;
    const joined = Buffer.concat(this.#held);
    this.#held = [joined];
    return joined;
  }
}
