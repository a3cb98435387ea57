import { createHash } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Turns } from '../../model/async/turns.ts';
import type { AnswerRecord, KeptAnswer, KeptBody } from '../../model/runs/keptAnswer.ts';
import { appKey, type Run, type RunOutcome } from '../../model/runs/run.ts';
import { type AnswerBounds, answerBounds, keepBounds, removeAnswers } from './answerBounds.ts';
import { AnswerWriter, recordName, type StoredAnswer } from './answerWriter.ts';
import { shownBytes } from './shownAnswer.ts';

/** The folders in which earlier versions kept answers. */
const earlierFolders = ['answers', 'shownAnswers'];
/** The form of Runhook's own run ids. Checked, since the address of a document may hold anything. */
const idPattern = /^[\da-f-]{36}$/;

type RunRef = Pick<Run, 'id' | 'input' | 'outcome'>;
type AppRef = Pick<Run['input'], 'projectId' | 'appName'>;

/**
 * Stores the latest answers of each app on the disk while they arrive, so that a listed run has its answer after a
 * reload or a crash, and in other windows. Token and secret of the call were removed from it before.
 */
export class AnswerStore {
  readonly #storage: string;
  readonly #root: string;
  readonly #onError: (error: unknown) => void;
  readonly #bounds: AnswerBounds;
  /** The writers of answers that are arriving in this window, by run id. */
  readonly #writers = new Map<string, AnswerWriter>();
  readonly #turns = new Turns();
  #isPruneDue = false;
  #hasSwept = false;

  /**
   * @param storage the storage folder of the extension
   * @param onError called if an answer cannot be kept: its run goes on without
   */
  constructor(storage: string, onError: (error: unknown) => void, bounds = answerBounds) {
    this.#storage = storage;
    this.#root = join(storage, 'runAnswers');
    this.#onError = onError;
    this.#bounds = bounds;
  }

  /** Starts to store the answer of a run. */
  begin(run: RunRef, record: AnswerRecord): AnswerWriter {
    const parts = {
      folder: this.#folder(run.input),
      id: run.id,
      most: this.#bounds.body,
      onError: this.#onError,
      onGrown: () => this.#prune(),
    };
    const writer = new AnswerWriter(parts, record);
    this.#writers.set(run.id, writer);
    return writer;
  }

  /** Called when the answer has ended. @param bytes the length of its whole body */
  async end({ id }: Pick<Run, 'id'>, bytes: number): Promise<void> {
    await this.#writers.get(id)?.end(bytes);
    this.#writers.delete(id);
    this.#prune();
  }

  /** Undefined if the answer is not, or no longer, kept. @throws if it cannot be read */
  async find(run: RunRef): Promise<KeptAnswer | undefined> {
    if (!idPattern.test(run.id)) return undefined;
    await this.#writers.get(run.id)?.written();
    const folder = this.#folder(run.input);
    const text = await orUndefined(readFile(join(folder, recordName(run.id)), 'utf8'));
    const stored = text === undefined ? undefined : readStored(text);
    if (stored === undefined) return undefined;
    const { file, bytes, ...record } = stored;
    if (record.head === undefined) return record;
    const body = await this.#body(folder, file === undefined ? undefined : basename(file));
    const said = bytes ?? bytesOf(run.outcome) ?? body.kept;
    return { ...record, body: { ...body, bytes: said, isComing: run.outcome.kind === 'running' } };
  }

  /** The kept bytes of a body; undefined if there are none. @throws if they cannot be read */
  async bytes(run: RunRef): Promise<Uint8Array | undefined> {
    const file = (await this.find(run))?.body?.file;
    return file === undefined ? undefined : orUndefined(readFile(file));
  }

  /** Deletes the answers of some runs of an app. */
  async remove(app: AppRef, ids: readonly string[]): Promise<void> {
    await this.#stop(ids);
    await this.#turns.next(() => removeAnswers(this.#folder(app), new Set(ids)));
  }

  /** Deletes all answers, including those of earlier versions. */
  async erase(): Promise<void> {
    await this.#stop([...this.#writers.keys()]);
    await this.#turns.next(async () => {
      await rm(this.#root, { recursive: true, force: true, maxRetries: 3 });
      await this.#sweep();
    });
  }

  /** Resolves when everything that has arrived is on the disk. */
  async written(): Promise<void> {
    await Promise.all([...this.#writers.values()].map((writer) => writer.written()));
    await this.#turns.next(() => undefined);
  }

  async #stop(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const writer = this.#writers.get(id);
      this.#writers.delete(id);
      await writer?.stop();
    }
  }

  async #body(folder: string, name: string | undefined): Promise<Omit<KeptBody, 'bytes'>> {
    const none = { beginning: new Uint8Array(), kept: 0 };
    if (name === undefined) return none;
    const path = join(folder, name);
    const file = await orUndefined(open(path, 'r'));
    if (file === undefined) return none;
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read({
        buffer: new Uint8Array(Math.min(size, shownBytes)),
        position: 0,
      });
      return { beginning: buffer.subarray(0, bytesRead), kept: size, file: path };
    } finally {
      await file.close();
    }
  }

  /** Enforces the bounds. Calls while one is pending are merged into it. */
  #prune(): void {
    if (this.#isPruneDue) return;
    this.#isPruneDue = true;
    void this.#turns.next(async () => {
      this.#isPruneDue = false;
      await Promise.all([keepBounds(this.#root, this.#bounds), this.#sweep()]).catch(this.#onError);
    });
  }

  /** Removes what earlier versions kept. */
  async #sweep(): Promise<void> {
    if (this.#hasSwept) return;
    this.#hasSwept = true;
    for (const name of earlierFolders) await rm(join(this.#storage, name), { recursive: true, force: true });
  }

  /** The folder of an app. Its name is a digest, since app names may not be valid folder names. */
  #folder({ projectId, appName }: AppRef): string {
    const digest = createHash('sha256').update(appKey({ projectId, appName }));
    return join(this.#root, digest.digest('hex').slice(0, 24));
  }
}

/** The body length that the history has for a run, in bytes. */
function bytesOf(outcome: RunOutcome): number | undefined {
  return 'bytes' in outcome ? outcome.bytes : undefined;
}

async function orUndefined<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Undefined if the record is damaged: another program may have written it. */
function readStored(text: string): StoredAnswer | undefined {
  try {
    return JSON.parse(text) as StoredAnswer;
  } catch {
    return undefined;
  }
}
