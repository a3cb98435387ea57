import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { commandLineEntry } from './entries.ts';
import { waitFor } from './waitFor.ts';

/** How a program ended, and what it printed. */
export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the command line to its end. */
export async function runhook(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const program = new CommandLine(args, environment);
  return program.ended;
}

/** The command line as a program that goes on until it is told to end. */
export class CommandLine {
  readonly lines: string[] = [];
  readonly ended: Promise<Ended>;
  readonly process: ChildProcess;

  constructor(args: readonly string[], environment: Record<string, string> = {}) {
    const child = spawn(process.execPath, [commandLineEntry, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    this.process = child;
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    createInterface(child.stdout).on('line', (line) => this.lines.push(line));
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    this.ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  }

  /** The line of that number, from 0, once it is there. */
  line(at: number): Promise<string> {
    return waitFor(`line ${at} of the output`, () => this.lines[at]);
  }

  /** Ctrl-C. */
  async interrupt(): Promise<Ended> {
    this.process.kill('SIGINT');
    return this.ended;
  }
}
