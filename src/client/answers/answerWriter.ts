import { type FileHandle, open, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolderAsync } from '../../files/makeFolder.ts';
import { Turns } from '../../model/async/turns.ts';
import type { AnswerRecord } from '../../model/runs/keptAnswer.ts';
import { failureText } from '../../model/service/failureReason.ts';
import type { BodyFile } from './gatheredBody.ts';
import { endingOf } from './bodyKind.ts';

/** The record of an answer on the disk, with the name of the file that has its body. */
export interface StoredAnswer extends AnswerRecord {
  file?: string;
  /** The length of the whole body; absent while it arrives, and if its writer was killed before the end. */
  bytes?: number;
}

export interface AnswerWriterParts {
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
export function recordName(id: string): string {
  return `${id}.answer`;
}

/**
 * Writes one answer while it arrives. The record is replaced atomically, and says only in the end that the body is
 * complete: a process that is killed leaves what had arrived, and it is not taken for a whole answer. Nothing here
 * rejects.
 */
export class AnswerWriter implements BodyFile {
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
    const made = `${path}.new`;
    await writeFile(made, JSON.stringify(this.#stored), { mode: 0o600 });
    // The file time is when the answer began, however long it takes: so all windows agree on the latest answers.
    await utimes(made, this.#begun, this.#begun);
    await rename(made, path);
  }
}
