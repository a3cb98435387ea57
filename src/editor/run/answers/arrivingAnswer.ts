import { isCredentialHeader, masked } from '../../../shared/masking/likelySecrets.ts';
import { type AnswerRecord, type ShownAnswer, shownAnswer, shownBytes } from './answerText.ts';
import type { Run } from '../../../service/runs/run.ts';
import type { AnswerStore, AnswerWriter } from './answerFile.ts';
import { RunIdSearch } from '../../../service/runs/runIdSearch.ts';

type Head = NonNullable<AnswerRecord['head']>;

interface ArrivingAnswerParts {
  run: Run;
  /** Stores the answer. */
  store: AnswerStore;
  /** How many bytes to hold in memory for a caller that wants the whole body. */
  hold?: number | undefined;
}

/** The answer of one run while it arrives. It is gathered once; each view of it asks here for the current state. */
export class ArrivingAnswer {
  readonly #parts: ArrivingAnswerParts;
  readonly #writer: AnswerWriter;
  #record: AnswerRecord;
  #body: GatheredBody | undefined;
  #isComing = true;
  /** Cached once more has arrived than is shown: until the end, the shown text no longer changes. */
  #long: ShownAnswer | undefined;
  /** What is shown after the answer has ended. */
  #last: ShownAnswer | undefined;

  constructor(parts: ArrivingAnswerParts, record: AnswerRecord) {
    this.#parts = parts;
    this.#record = record;
    this.#writer = parts.store.begin(parts.run, record);
  }

  /** The answer as it is to be shown now. */
  get shown(): ShownAnswer {
    return this.#last ?? this.#shownNow();
  }

  /** The body; undefined before the head has arrived, and after {@link letGo}. */
  get body(): GatheredBody | undefined {
    return this.#body;
  }

  /** The path of the body on the disk; undefined if nothing of it is there. */
  get file(): string | undefined {
    return this.#writer.file;
  }

  /** The head has arrived. @param head as it came: credentials in it, such as cookies, are neither shown nor kept */
  begin(head: Head): GatheredBody {
    const { headers } = head;
    // guard S88: Headers with credentials are masked in what is shown and kept of an answer.
    const safe = Object.entries(headers).map(([name, value]) => [
      name,
      isCredentialHeader(name) ? masked : value,
    ]);
    const kept: Head = { ...head, headers: Object.fromEntries(safe) as Head['headers'] };
    this.#record = { ...this.#record, head: kept };
    this.#writer.begin(kept);
    this.#body = new GatheredBody({ headers, file: this.#writer, hold: this.#parts.hold });
    return this.#body;
  }

  /** The answer has ended. Resolves when it is stored. */
  async end(): Promise<void> {
    await this.#parts.store.end(this.#parts.run, this.#body?.bytes ?? 0);
    this.#isComing = false;
    this.#last = this.#shownNow();
  }

  /** Releases the bytes of the body. */
  letGo(): void {
    this.#body = undefined;
  }

  #shownNow(): ShownAnswer {
    if (this.#body === undefined) return this.#record;
    const { beginning, bytes } = this.#body;
    const isLong = this.#isComing && bytes > shownBytes;
    if (isLong && this.#long?.body !== undefined) {
      return { ...this.#long, body: { ...this.#long.body, bytes } };
    }
    const { file, kept, problem } = this.#writer;
    const body = { beginning, bytes, kept, file, problem, isComing: this.#isComing };
    const shown = shownAnswer({ ...this.#record, body });
    if (isLong) this.#long = shown;
    return shown;
  }
}

/** How much of a body is searched for a run id as a whole, and is available to be shown, in bytes. */
const beginningBytes = 4 * 1024 * 1024;
/** The longest text, in UTF-16 units, that is compared with deliveries. */
const longestWhole = 256 * 1024;

/** Takes the bytes of a body piece by piece. Never rejects: a failed write stops nothing. */
interface BodyFile {
  append(bytes: Uint8Array): Promise<void>;
}

interface GatheredBodyOptions {
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Where to store the body; undefined if it is not kept. */
  file: BodyFile | undefined;
  /** How many bytes to hold in memory for a caller that wants the whole body. */
  hold?: number | undefined;
}

/**
 * Gathers an answer's body once while it arrives: its beginning for the screen, all of it for the file, and the run
 * id that it names. `push` waits for the file, and so does the socket. Memory is bounded, however long the body is.
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

  /** How many bytes have arrived. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The run's id, as soon as it is known. */
  get runId(): string | undefined {
    return this.#search.id;
  }

  /** The first bytes, at least as many as are shown. */
  get beginning(): Uint8Array {
    return this.#joined().subarray(0, beginningBytes);
  }

  /** All bytes that have arrived; undefined if there are more than are held. */
  get whole(): Uint8Array | undefined {
    return this.#bytes === this.#heldBytes ? this.#joined() : undefined;
  }

  /** The text of everything that has arrived; undefined if it is too long to compare, or not text. */
  get text(): string | undefined {
    // UTF-8 has at most three bytes for each UTF-16 unit.
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

  /** The body is complete, or no more of it will arrive. */
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
