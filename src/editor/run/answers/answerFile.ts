import { createHash } from 'node:crypto';
import { open, readFile, rm, type FileHandle, rename, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Turns } from '../../../shared/async/turns.ts';
import { type AnswerRecord, type KeptAnswer, type KeptBody, shownBytes, endingOf } from './answerText.ts';
import { appKey, type Run, type RunOutcome } from '../../../service/runs/run.ts';
import { makeFolderAsync } from '../../../shared/files/makeFolder.ts';
import { replaceFile } from '../../../shared/files/replaceFile.ts';
import { failureText } from '../../../shared/http/failureReason.ts';

/** How many and how large answers are kept, by all windows together. */
interface AnswerBounds {
  /** The most answers of one app. */
  perApp: number;
  /** The most bytes of one body. */
  body: number;
  /** The most bytes of all files together. */
  total: number;
}

const answerBounds: AnswerBounds = {
  perApp: 50,
  body: 10 * 1024 * 1024,
  total: 200 * 1024 * 1024,
};

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
  readonly #parts: { storage: string; onError: (error: unknown) => void; bounds: AnswerBounds };
  readonly #root: string;
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
    this.#parts = { storage, onError, bounds };
    this.#root = join(storage, 'runAnswers');
  }

  /** Starts to store the answer of a run. */
  begin(run: RunRef, record: AnswerRecord): AnswerWriter {
    const { bounds, onError } = this.#parts;
    const to = { folder: this.#folder(run.input), id: run.id, most: bounds.body };
    const writer = new AnswerWriter({ ...to, onError, onGrown: () => this.#prune() }, record);
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

  /** Moves the answers of some runs of an app that got another name. */
  async move(runs: readonly RunRef[], from: AppRef, to: AppRef): Promise<void> {
    const ids = new Set(runs.map(({ id }) => id));
    const [before, now] = [this.#folder(from), this.#folder(to)];
    await this.#turns.next(async () => {
      const names = (await namesIn(before)).filter((name) => ids.has(name.slice(0, idLength)));
      if (names.length > 0) await makeFolderAsync(now);
      for (const name of names) await rename(join(before, name), join(now, name));
    });
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
    const { bounds, onError } = this.#parts;
    void this.#turns.next(async () => {
      this.#isPruneDue = false;
      await Promise.all([keepBounds(this.#root, bounds), this.#sweep()]).catch(onError);
    });
  }

  /** Removes what earlier versions kept. */
  async #sweep(): Promise<void> {
    if (this.#hasSwept) return;
    this.#hasSwept = true;
    for (const name of earlierFolders)
      await rm(join(this.#parts.storage, name), { recursive: true, force: true });
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

/** Undefined if the record is damaged: another program may have written it. */
function readStored(text: string): StoredAnswer | undefined {
  try {
    return JSON.parse(text) as StoredAnswer;
  } catch {
    return undefined;
  }
}

/** The record of an answer on the disk, with the name of the file that has its body. */
interface StoredAnswer extends AnswerRecord {
  file?: string;
  /** The length of the whole body; absent while it arrives, and if its writer was killed before the end. */
  bytes?: number;
}

interface AnswerWriterParts {
  /** The folder of the app. */
  folder: string;
  /** The id of the run. */
  id: string;
  /** How much of a body is kept at most, in bytes. */
  most: number;
  /** Called once if the answer cannot be written. */
  onError: (error: unknown) => void;
  /** Called each time another {@link growth} bytes have been written. */
  onGrown: () => void;
}

/** How much may be written before older answers are pruned, in bytes. */
const growth = 1024 * 1024;

/** The name of the record file of an answer. */
function recordName(id: string): string {
  return `${id}.answer`;
}

/**
 * Writes one answer while it arrives. The record is replaced atomically, and says only in the end that the body is
 * complete: a process that is killed leaves what had arrived, and it is not taken for a whole answer. Nothing here
 * rejects.
 */
export class AnswerWriter {
  readonly #parts: AnswerWriterParts;
  readonly #turns = new Turns();
  readonly #begun = new Date();
  #stored: StoredAnswer;
  #file: FileHandle | undefined;
  #kept = 0;
  #problem: { error: unknown } | undefined;
  #isStopped = false;

  constructor(parts: AnswerWriterParts, record: AnswerRecord) {
    this.#parts = parts;
    this.#stored = record;
    void this.#write(async () => {
      await makeFolderAsync(parts.folder);
      await this.#writeRecord();
    });
  }

  /** The path of the body's file; undefined if there is none. */
  get file(): string | undefined {
    const { file } = this.#stored;
    return this.#kept === 0 || file === undefined ? undefined : join(this.#parts.folder, file);
  }

  /** How many bytes of the body are kept. */
  get kept(): number {
    return this.#kept;
  }

  /** Why the answer could not be written, in words; undefined if it could. */
  get problem(): string | undefined {
    return this.#problem && failureText(this.#problem.error);
  }

  /** Called when the head of the answer has arrived. */
  begin(head: NonNullable<AnswerRecord['head']>): void {
    const file = `${this.#parts.id}.${endingOf(head.headers['content-type'] ?? '')}`;
    this.#stored = { ...this.#stored, head, file };
    void this.#write(() => this.#writeRecord());
  }

  /** Appends to the body. Bytes beyond the limit are dropped. */
  append(bytes: Uint8Array): Promise<void> {
    const { folder, most, onGrown } = this.#parts;
    const { file } = this.#stored;
    if (this.#kept >= most || file === undefined || !this.#mayWrite()) return Promise.resolve();
    return this.#write(async () => {
      const part = bytes.subarray(0, most - this.#kept);
      this.#file ??= await open(join(folder, file), 'wx', 0o600);
      await this.#file.appendFile(part);
      const before = Math.floor(this.#kept / growth);
      this.#kept += part.length;
      if (Math.floor(this.#kept / growth) > before) onGrown();
    });
  }

  /** @param bytes the length of the whole body */
  async end(bytes: number): Promise<void> {
    this.#stored = { ...this.#stored, bytes };
    await this.#close();
    await this.#write(() => this.#writeRecord());
  }

  /** Stops writing, since the answer has been removed. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#close();
  }

  /** Resolves when everything that has arrived is on the disk. */
  written(): Promise<void> {
    return this.#turns.next(() => undefined);
  }

  #close(): Promise<void> {
    return this.#turns.next(async () => {
      const file = this.#file;
      this.#file = undefined;
      await file?.close().catch((error: unknown) => this.#fail(error));
    });
  }

  #mayWrite(): boolean {
    return !this.#isStopped && this.#problem === undefined;
  }

  #write(work: () => Promise<void>): Promise<void> {
    return this.#turns.next(async () => {
      if (this.#mayWrite()) await work().catch((error: unknown) => this.#fail(error));
    });
  }

  #fail(error: unknown): void {
    if (!this.#mayWrite()) return;
    this.#problem = { error };
    this.#parts.onError(error);
  }

  async #writeRecord(): Promise<void> {
    const path = join(this.#parts.folder, recordName(this.#parts.id));
    // The file time is when the answer began, however long it takes: so all windows agree on the latest answers.
    await replaceFile(path, JSON.stringify(this.#stored), this.#begun);
  }
}

/** The files of one answer. */
interface Entry {
  id: string;
  files: string[];
  bytes: number;
  /** When it began, in milliseconds since the epoch. */
  at: number;
}

/** The length of a run's id, with which the names of all files of its answer begin. */
const idLength = 36;

/**
 * Deletes the oldest answers beyond the bounds. Other windows may write and delete at the same time: all use the same
 * order, and the last one to run sees all answers.
 * @param root the folder that has one folder for each app
 */
async function keepBounds(root: string, { perApp, total }: AnswerBounds): Promise<void> {
  const left: Entry[] = [];
  for (const folder of await namesIn(root)) {
    const entries = newestFirst(await entriesIn(join(root, folder)));
    left.push(...entries.slice(0, perApp));
    for (const old of entries.slice(perApp)) await remove(old);
  }
  let bytes = 0;
  for (const entry of newestFirst(left)) {
    bytes += entry.bytes;
    if (bytes > total) await remove(entry);
  }
}

/** Deletes the answers of some runs. */
async function removeAnswers(folder: string, ids: ReadonlySet<string>): Promise<void> {
  const names = await namesIn(folder);
  const gone = names.filter((name) => ids.has(name.slice(0, idLength)));
  await remove({ files: gone.map((name) => join(folder, name)) });
}

/** The answers that have a record: it is written first and deleted last. */
async function entriesIn(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const names = await namesIn(folder);
  for (const record of names) {
    const id = record.slice(0, idLength);
    if (record !== recordName(id)) continue;
    const bodies = names.filter((name) => name.startsWith(`${id}.`) && !name.startsWith(record));
    const files = [...bodies, record].map((name) => join(folder, name));
    const found = await Promise.all(files.map((file) => orUndefined(stat(file))));
    const at = found.at(-1)?.mtimeMs;
    if (at === undefined) continue;
    entries.push({ id, files, bytes: found.reduce((sum, one) => sum + (one?.size ?? 0), 0), at });
  }
  return entries;
}

function newestFirst(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => other.at - one.at || (one.id < other.id ? -1 : 1));
}

async function remove({ files }: Pick<Entry, 'files'>): Promise<void> {
  for (const file of files) await rm(file, { force: true });
}

/** Empty if there is no such folder, or something else has its name, such as the file .DS_Store. */
async function namesIn(folder: string): Promise<string[]> {
  return (await orUndefined(readdir(folder), ['ENOENT', 'ENOTDIR'])) ?? [];
}

/** The result; undefined for a missing file: another window may have deleted it. */
async function orUndefined<T>(asked: Promise<T>, codes = ['ENOENT']): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
