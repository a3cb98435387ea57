import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { commandLineEntry } from './entryPoints.ts';
import { waitFor } from '../time/waitFor.ts';

/** The exit code and the output of a program. */
export interface ProgramResult {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the command line and waits for its exit. */
export async function runhook(
  args: readonly string[],
  environment: Record<string, string> = {},
  cwd?: string,
): Promise<ProgramResult> {
  const program = new CommandLine(args, environment, cwd);
  return program.ended;
}

/** A running command line program. */
export class CommandLine {
  readonly lines: string[] = [];
  readonly ended: Promise<ProgramResult>;
  readonly process: ChildProcess;

  constructor(args: readonly string[], environment: Record<string, string> = {}, cwd?: string) {
    const child = spawn(process.execPath, [commandLineEntry, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
      ...(cwd !== undefined && { cwd }),
    });
    this.process = child;
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    createInterface(child.stdout).on('line', (line) => this.lines.push(line));
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    this.ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  }

  /** Waits for a line of its output. @param at from 0 */
  line(at: number): Promise<string> {
    return waitFor(`line ${at} of the output`, () => this.lines[at]);
  }

  /** Ctrl-C. */
  async interrupt(): Promise<ProgramResult> {
    this.process.kill('SIGINT');
    return this.ended;
  }
}
