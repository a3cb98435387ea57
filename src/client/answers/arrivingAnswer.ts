import { isCredentialHeader, masked } from '../../model/masking/masking.ts';
import type { AnswerRecord } from '../../model/runs/keptAnswer.ts';
import type { Run } from '../../model/runs/run.ts';
import type { AnswerStore } from './answerStore.ts';
import type { AnswerWriter } from './answerWriter.ts';
import { GatheredBody } from './gatheredBody.ts';
import { type ShownAnswer, shownAnswer, shownBytes } from './shownAnswer.ts';

type Head = NonNullable<AnswerRecord['head']>;

/** The answer of one run while it arrives. It is gathered once; each view of it asks here for the current state. */
export class ArrivingAnswer {
  readonly #run: Run;
  readonly #store: AnswerStore | undefined;
  readonly #hold: number | undefined;
  readonly #writer: AnswerWriter | undefined;
  #record: AnswerRecord;
  #body: GatheredBody | undefined;
  #isComing = true;
  /** Cached once more has arrived than is shown: until the end, the shown text no longer changes. */
  #long: ShownAnswer | undefined;
  /** What is shown after the answer has ended. */
  #last: ShownAnswer | undefined;

  /**
   * @param store stores the answer; without one it is not kept
   * @param hold how many bytes to hold in memory for a caller that wants the whole body
   */
  constructor(run: Run, record: AnswerRecord, store: AnswerStore | undefined, hold?: number) {
    this.#run = run;
    this.#record = record;
    this.#store = store;
    this.#hold = hold;
    this.#writer = store?.begin(run, record);
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
    return this.#writer?.file;
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
    this.#writer?.begin(kept);
    const hold = this.#hold !== undefined && { hold: this.#hold };
    this.#body = new GatheredBody({ headers, file: this.#writer, ...hold });
    return this.#body;
  }

  /** The answer has ended. Resolves when it is stored. */
  async end(): Promise<void> {
    await this.#store?.end(this.#run, this.#body?.bytes ?? 0);
    this.#isComing = false;
    this.#last = this.#shownNow();
  }

  /** Releases the bytes of the body. */
  letGo(): void {
    this.#body = undefined;
  }

  #shownNow(): ShownAnswer {
    const { file, kept = 0, problem } = this.#writer ?? {};
    if (this.#body === undefined) return this.#record;
    const { beginning, bytes } = this.#body;
    const isLong = this.#isComing && bytes > shownBytes;
    if (isLong && this.#long?.body !== undefined) {
      return { ...this.#long, body: { ...this.#long.body, bytes } };
    }
    const about = { ...(file !== undefined && { file }), ...(problem !== undefined && { problem }) };
    const body = { beginning, bytes, kept, isComing: this.#isComing, ...about };
    const shown = shownAnswer({ ...this.#record, body });
    if (isLong) this.#long = shown;
    return shown;
  }
}
