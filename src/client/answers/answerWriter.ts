import { type FileHandle, mkdir, open, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Turns } from '../../model/async/turns.ts';
import type { AnswerRecord } from '../../model/runs/keptAnswer.ts';
import { failureText } from '../../model/service/failureReason.ts';
import type { BodyFile } from './gatheredBody.ts';
import { endingOf } from './bodyKind.ts';

/** An answer on the disk: what is known of it, and the name of the file that has its body. */
export interface StoredAnswer extends AnswerRecord {
  file?: string;
  /** How much there was; absent while it comes, and where whoever wrote it was killed before the end. */
  bytes?: number;
}

export interface AnswerWriterParts {
  /** Of the app. */
  folder: string;
  /** Of the run. */
  id: string;
  /** So much of a body is kept, in bytes. */
  most: number;
  /** Told once where it cannot be written. */
  onError: (error: unknown) => void;
  /** More has been written. */
  onGrown: () => void;
}

/** How much may be written before others make room for it, in bytes. */
const growth = 1024 * 1024;

/** The name of what is known of an answer, beside its body. */
export function recordName(id: string): string {
  return `${id}.answer`;
}

/**
 * Writes one answer while it comes. What is known of it is replaced at once or not at all, and says last that the body
 * is complete: a process that is killed leaves what had come, and no more is made of it. Nothing here rejects.
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
      await mkdir(parts.folder, { recursive: true });
      await this.#writeRecord();
    });
  }

  /** The path of the body's file; undefined where there is none. */
  get file(): string | undefined {
    const { file } = this.#stored;
    return this.#kept === 0 || file === undefined ? undefined : join(this.#parts.folder, file);
  }

  /** How many bytes of the body are kept. */
  get kept(): number {
    return this.#kept;
  }

  /** Why it is not kept, in words. */
  get problem(): string | undefined {
    return this.#problem && failureText(this.#problem.error);
  }

  /** The answer begins. */
  begin(head: NonNullable<AnswerRecord['head']>): void {
    const file = `${this.#parts.id}.${endingOf(head.headers['content-type'] ?? '')}`;
    this.#stored = { ...this.#stored, head, file };
    void this.#write(() => this.#writeRecord());
  }

  /** Bytes beyond the most that is kept are left out. */
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

  /** @param bytes how much there was */
  async end(bytes: number): Promise<void> {
    this.#stored = { ...this.#stored, bytes };
    await this.#close();
    await this.#write(() => this.#writeRecord());
  }

  /** Writes no more: the answer has been removed. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#close();
  }

  /** Resolves when all is on the disk that has come. */
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
    // However long it comes, its time is that of its beginning: all windows have the same answers for the last ones.
    await utimes(made, this.#begun, this.#begun);
    await rename(made, path);
  }
}
