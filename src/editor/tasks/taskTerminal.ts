import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import { oneLine } from '../../model/text/oneLine.ts';

/** What the work of a task writes to, and is ended by. */
export interface TaskOutput {
  /** Writes lines. What others have written cannot break one, nor steer the terminal. */
  readonly write: (lines: readonly string[]) => void;
  /** Aborted as soon as the task is ended: by its terminal, by Ctrl+C, or by the editor. */
  readonly signal: AbortSignal;
}

/** What a task does. @returns whether it went well; rejects with what a user can read */
export type TaskWork = (output: TaskOutput) => Promise<boolean>;

/** What Ctrl+C types. */
const interrupt = '\x03';

/** The terminal of a task. Its exit code is 0 or 1. */
export class TaskTerminal implements vscode.Pseudoterminal {
  readonly #work: TaskWork;
  readonly #messageOf: (error: unknown) => string;
  readonly #abort = new AbortController();
  readonly #written = new vscode.EventEmitter<string>();
  readonly #closed = new vscode.EventEmitter<number>();
  readonly onDidWrite = this.#written.event;
  readonly onDidClose = this.#closed.event;

  /** @param messageOf what a user can read of an error */
  constructor(work: TaskWork, messageOf: (error: unknown) => string) {
    this.#work = work;
    this.#messageOf = messageOf;
  }

  open(): void {
    void this.#run();
  }

  handleInput(data: string): void {
    if (data.includes(interrupt)) this.#end();
  }

  /** Whoever ended the task reads no more. */
  close(): void {
    this.#end();
  }

  #end(): void {
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    const write = (lines: readonly string[]): void => {
      // guard: no control character of a delivery reaches the terminal
      this.#written.fire(lines.map((text) => `${oneLine(text)}\r\n`).join(''));
    };
    let isWell = false;
    try {
      isWell = await this.#work({ write, signal });
    } catch (error) {
      write([signal.aborted ? t('Cancelled.') : this.#messageOf(error)]);
    }
    this.#closed.fire(isWell ? 0 : 1);
    this.#written.dispose();
    this.#closed.dispose();
  }
}
