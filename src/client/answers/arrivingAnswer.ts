import { isCredentialHeader, masked } from '../../model/masking/masking.ts';
import type { AnswerRecord } from '../../model/runs/keptAnswer.ts';
import type { Run } from '../../model/runs/run.ts';
import type { AnswerStore } from './answerStore.ts';
import type { AnswerWriter } from './answerWriter.ts';
import { GatheredBody } from './gatheredBody.ts';
import { type ShownAnswer, shownAnswer, shownBytes } from './shownAnswer.ts';

type Head = NonNullable<AnswerRecord['head']>;

/** The answer of one run while it comes. It is gathered once; whoever shows it asks here how far it has come. */
export class ArrivingAnswer {
  readonly #run: Run;
  readonly #store: AnswerStore | undefined;
  readonly #hold: number | undefined;
  readonly #writer: AnswerWriter | undefined;
  #record: AnswerRecord;
  #body: GatheredBody | undefined;
  #isComing = true;
  /** What is shown of it while more comes than is shown: its text stays, and is made once. */
  #long: ShownAnswer | undefined;
  /** What is shown of it once nothing more comes. */
  #last: ShownAnswer | undefined;

  /**
   * @param store keeps it; without one it is let go of as it comes
   * @param hold so many bytes are held for whoever wants all of them
   */
  constructor(run: Run, record: AnswerRecord, store: AnswerStore | undefined, hold?: number) {
    this.#run = run;
    this.#record = record;
    this.#store = store;
    this.#hold = hold;
    this.#writer = store?.begin(run, record);
  }

  /** As it is to be shown now. */
  get shown(): ShownAnswer {
    return this.#last ?? this.#shownNow();
  }

  /** Of the body, where its head has come, and until it was let go of. */
  get body(): GatheredBody | undefined {
    return this.#body;
  }

  /** Where the body is on the disk; undefined where nothing of it is. */
  get file(): string | undefined {
    return this.#writer?.file;
  }

  /** The head has come. @param head as it came: what lets somebody in, such as a cookie, is neither shown nor kept */
  begin(head: Head): GatheredBody {
    const { headers } = head;
    // guard: masked in what is shown and in what is kept of an answer
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

  /** Nothing more will come. Resolves when it is kept. */
  async end(): Promise<void> {
    await this.#store?.end(this.#run, this.#body?.bytes ?? 0);
    this.#isComing = false;
    this.#last = this.#shownNow();
  }

  /** Nobody wants its bytes any more. */
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
