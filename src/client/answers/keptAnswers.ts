import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Turns } from '../../model/async/turns.ts';
import type { Clock } from '../../model/processes/clock.ts';
import type { KeptAnswer } from '../../model/runs/keptAnswer.ts';

/** So many are kept, of all windows. */
const keep = 20;
/** How often what has come is written, in milliseconds: so much is lost where the process is killed. */
const writeEveryMs = 1000;
/** Runhook's own ids of runs. The address of a document may hold anything. */
const idPattern = /^[\da-f-]{36}$/;

/**
 * What is shown of the last answers, on the disk: a tab that comes back after a reload shows what had come by then.
 * Token and secret of the call have been taken out of it before.
 */
export class KeptAnswers {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #unwritten = new Map<string, KeptAnswer>();
  readonly #turns = new Turns();
  #stopWaiting: (() => void) | undefined;

  /**
   * @param storage the extension's own
   * @param onError told where they cannot be written: whoever shows an answer goes on without
   */
  constructor(storage: string, clock: Clock, onError: (error: unknown) => void) {
    this.#folder = join(storage, 'shownAnswers');
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Keeps an answer as it stands now, in place of how it stood. @param id that of its run */
  keep(id: string, answer: KeptAnswer): void {
    this.#unwritten.set(id, answer);
    this.#stopWaiting ??= this.#clock.after(writeEveryMs, () => void this.written());
  }

  /** Resolves when all is on the disk that was to be kept. */
  written(): Promise<void> {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    return this.#turns.next(() => this.#write().catch(this.#onError));
  }

  /** Undefined where it is not kept, or not any more. */
  async find(id: string): Promise<KeptAnswer | undefined> {
    if (!idPattern.test(id)) return undefined;
    const waiting = this.#unwritten.get(id);
    if (waiting !== undefined) return waiting;
    try {
      return JSON.parse(await readFile(this.#path(id), 'utf8')) as KeptAnswer;
    } catch {
      return undefined;
    }
  }

  /** Deletes all of them. */
  erase(): Promise<void> {
    this.#unwritten.clear();
    return this.#turns.next(() => rm(this.#folder, { recursive: true, force: true }));
  }

  async #write(): Promise<void> {
    if (this.#unwritten.size === 0) return;
    await mkdir(this.#folder, { recursive: true });
    for (const [id, answer] of this.#unwritten) {
      this.#unwritten.delete(id);
      // Whoever is killed while it writes leaves the one before.
      const path = this.#path(id);
      await writeFile(`${path}.new`, JSON.stringify(answer), { mode: 0o600 });
      await rename(`${path}.new`, path);
    }
    await this.#prune();
  }

  async #prune(): Promise<void> {
    const names = await readdir(this.#folder);
    if (names.length <= keep) return;
    const files = names.map((name) => join(this.#folder, name));
    const dated = await Promise.all(files.map(async (file) => ({ file, at: await changedAt(file) })));
    const old = dated.sort((one, other) => other.at - one.at).slice(keep);
    await Promise.all(old.map(({ file }) => rm(file, { force: true })));
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

/** Another window may have deleted it meanwhile. */
async function changedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
