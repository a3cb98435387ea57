import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pythonProgram } from './python.ts';

const script = fileURLToPath(new URL('../../fixtures/terminal/unread.py', import.meta.url));

/** A program in a terminal of which nothing is read but the first line. */
export class UnreadTerminal {
  /** The exit code of the program. */
  readonly ended: Promise<number | null>;
  readonly #terminal: ChildProcess;
  readonly #pid: number;
  /** The first line that it printed. */
  readonly line: string;

  private constructor(terminal: ChildProcess, pid: number, line: string) {
    this.#terminal = terminal;
    this.#pid = pid;
    this.line = line;
    this.ended = once(terminal, 'exit').then(([code]) => code as number | null);
  }

  static async start(
    command: readonly string[],
    environment: Record<string, string> = {},
  ): Promise<UnreadTerminal> {
    const terminal = spawn(pythonProgram(), ['-B', script, ...command], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    const lines = createInterface(terminal.stdout)[Symbol.asyncIterator]();
    const pid = Number((await lines.next()).value);
    return new UnreadTerminal(terminal, pid, String((await lines.next()).value));
  }

  /** Asks the program to end. */
  terminate(): Promise<number | null> {
    process.kill(this.#pid, 'SIGTERM');
    return this.ended;
  }

  /** Ends it without asking. */
  kill(): void {
    if (this.#terminal.exitCode !== null || this.#terminal.signalCode !== null) return;
    process.kill(this.#pid, 'SIGKILL');
  }
}
