import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Sender } from './sender.ts';

const child = fileURLToPath(new URL('listenerChild.ts', import.meta.url));
const secret = 'the secret of the test';

/** A listener in a process of its own. */
export class ListenerProcess {
  readonly #process: ChildProcess;
  readonly #sender: Sender;
  readonly port: number;

  private constructor(process: ChildProcess, port: number) {
    this.#process = process;
    this.port = port;
    this.#sender = new Sender(port, secret);
  }

  /** @param largestFileKb no file that it writes may become larger */
  static async start(
    folder: string,
    { largestFileKb }: { largestFileKb?: number } = {},
  ): Promise<ListenerProcess> {
    const command = [process.execPath, child, folder, secret];
    const [file = '', ...args] =
      largestFileKb === undefined
        ? command
        : ['bash', '-c', `ulimit -f ${largestFileKb}; exec "$0" "$@"`, ...command];
    const started = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface(started.stdout)) {
      const { port } = JSON.parse(line) as { port?: number };
      if (port !== undefined) return new ListenerProcess(started, port);
    }
    throw new Error('The listener ended before it listened.');
  }

  /** Sends a delivery that verifies; resolves with the status, or rejects where there is none. */
  deliver(requestId: string, body: string): Promise<number> {
    return this.#sender.deliver(requestId, body);
  }

  /** SIGKILL: nothing in it gets to run any more. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await ended;
    this.#sender.close();
  }
}
