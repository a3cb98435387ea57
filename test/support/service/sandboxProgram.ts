import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { SandboxAddress } from '../../../src/service/sandbox/sandboxProtocol.ts';
import { sandboxEntry } from '../processes/entryPoints.ts';

/** The sandbox as a separate process, as started from a shell. */
export class SandboxProgram {
  readonly address: SandboxAddress;
  /** The lines of its log. */
  readonly log: string[] = [];
  readonly #process: ChildProcess;

  private constructor(address: SandboxAddress, process: ChildProcess) {
    this.address = address;
    this.#process = process;
  }

  static async start(args: string[] = [], env: Record<string, string> = {}): Promise<SandboxProgram> {
    const child = spawn(process.execPath, [sandboxEntry, '--port', '0', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const program = new SandboxProgram(JSON.parse(line) as SandboxAddress, child);
    createInterface({ input: child.stderr }).on('line', (logged) => program.log.push(logged));
    return program;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }
}
