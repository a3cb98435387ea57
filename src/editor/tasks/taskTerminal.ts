import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import { oneLine } from '../../model/text/plainText.ts';

/** What the work of a task writes its output to, and is cancelled by. */
export interface TaskOutput {
  /** Writes lines. Text from outside can neither break a line nor control the terminal. */
  readonly write: (lines: readonly string[]) => void;
  /** Aborted as soon as the task is ended: by its terminal, by Ctrl+C, or by the editor. */
  readonly signal: AbortSignal;
}

/** The work of a task. @returns whether it succeeded; rejects with an error that a user can read */
export type TaskWork = (output: TaskOutput) => Promise<boolean>;

/** The input that Ctrl+C sends. */
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

  /** @param messageOf gives the message of an error for the user */
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

  /** Called when the terminal is closed: nobody reads further output. */
  close(): void {
    this.#end();
  }

  #end(): void {
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    const write = (lines: readonly string[]): void => {
      // guard S125: No control character of a delivery reaches the terminal.
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
