import { createHash } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Turns } from '../../model/async/turns.ts';
import type { AnswerRecord, KeptAnswer, KeptBody } from '../../model/runs/keptAnswer.ts';
import { appKey, type Run, type RunOutcome } from '../../model/runs/run.ts';
import { type AnswerBounds, answerBounds, keepBounds, removeAnswers } from './answerBounds.ts';
import { AnswerWriter, recordName, type StoredAnswer } from './answerWriter.ts';
import { shownBytes } from './shownAnswer.ts';

/** Where earlier versions kept answers. */
const before = ['answers', 'shownAnswers'];
/** Runhook's own ids of runs. The address of a document may hold anything. */
const idPattern = /^[\da-f-]{36}$/;

type RunRef = Pick<Run, 'id' | 'input' | 'outcome'>;
type AppRef = Pick<Run['input'], 'projectId' | 'appName'>;

/**
 * The last answers of each app on the disk, written while they come: a run that is listed has its answer after a reload,
 * a crash and in other windows. Token and secret of the call have been taken out of it before.
 */
export class AnswerStore {
  readonly #storage: string;
  readonly #root: string;
  readonly #onError: (error: unknown) => void;
  readonly #bounds: AnswerBounds;
  /** Those under way in this window, by their runs. */
  readonly #writers = new Map<string, AnswerWriter>();
  readonly #turns = new Turns();
  #isPruneDue = false;
  #hasSwept = false;

  /**
   * @param storage the extension's own
   * @param onError told where an answer cannot be kept: its run goes on without
   */
  constructor(storage: string, onError: (error: unknown) => void, bounds = answerBounds) {
    this.#storage = storage;
    this.#root = join(storage, 'runAnswers');
    this.#onError = onError;
    this.#bounds = bounds;
  }

  /** Keeps the answer of a run from its beginning on. */
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

  /** The answer has ended. @param bytes how much there was */
  async end({ id }: Pick<Run, 'id'>, bytes: number): Promise<void> {
    await this.#writers.get(id)?.end(bytes);
    this.#writers.delete(id);
    this.#prune();
  }

  /** Undefined where it is not kept, or not any more. @throws where it cannot be read */
  async find(run: RunRef): Promise<KeptAnswer | undefined> {
    if (!idPattern.test(run.id)) return undefined;
    await this.#writers.get(run.id)?.written();
    const folder = this.#folder(run.input);
    const text = await ifThere(readFile(join(folder, recordName(run.id)), 'utf8'));
    const stored = text === undefined ? undefined : readStored(text);
    if (stored === undefined) return undefined;
    const { file, bytes, ...record } = stored;
    if (record.head === undefined) return record;
    const body = await this.#body(folder, file === undefined ? undefined : basename(file));
    const said = bytes ?? bytesOf(run.outcome) ?? body.kept;
    return { ...record, body: { ...body, bytes: said, isComing: run.outcome.kind === 'running' } };
  }

  /** The bytes of a body that are kept; undefined where none are. @throws where they cannot be read */
  async bytes(run: RunRef): Promise<Uint8Array | undefined> {
    const file = (await this.find(run))?.body?.file;
    return file === undefined ? undefined : ifThere(readFile(file));
  }

  /** Deletes the answers of some runs of an app. */
  async remove(app: AppRef, ids: readonly string[]): Promise<void> {
    await this.#stop(ids);
    await this.#turns.next(() => removeAnswers(this.#folder(app), new Set(ids)));
  }

  /** Deletes all of them, those of earlier versions included. */
  async erase(): Promise<void> {
    await this.#stop([...this.#writers.keys()]);
    await this.#turns.next(async () => {
      await rm(this.#root, { recursive: true, force: true, maxRetries: 3 });
      await this.#sweep();
    });
  }

  /** Resolves when all is on the disk that has come. */
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
    const file = await ifThere(open(path, 'r'));
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

  /** However often it is asked for meanwhile, it is done once more. */
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
    for (const name of before) await rm(join(this.#storage, name), { recursive: true, force: true });
  }

  /** One for each app. Its name is a digest: names of apps are no names of folders. */
  #folder({ projectId, appName }: AppRef): string {
    const digest = createHash('sha256').update(appKey({ projectId, appName }));
    return join(this.#root, digest.digest('hex').slice(0, 24));
  }
}

/** How much had come by what the history knows. */
function bytesOf(outcome: RunOutcome): number | undefined {
  return 'bytes' in outcome ? outcome.bytes : undefined;
}

async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Undefined where it is damaged: somebody else has written it. */
function readStored(text: string): StoredAnswer | undefined {
  try {
    return JSON.parse(text) as StoredAnswer;
  } catch {
    return undefined;
  }
}
