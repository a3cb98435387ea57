import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ListenerSettings } from '../../src/model/listenerProtocol.ts';
import { Sender } from './sender.ts';

const child = fileURLToPath(new URL('listenerChild.ts', import.meta.url));
const secret = 'the secret of the test';

/** A listener in a process of its own. */
export class ListenerProcess {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Interface;
  #sender: Sender | undefined;
  port = 0;

  private constructor(process: ChildProcessByStdio<Writable, Readable, null>) {
    this.#process = process;
    this.#lines = createInterface(process.stdout);
  }

  /**
   * @param largestFileKb no file that it writes may become larger
   * @param settings those that are not as the child has them
   */
  static async start(
    folder: string,
    { largestFileKb, settings = {} }: { largestFileKb?: number; settings?: Partial<ListenerSettings> } = {},
  ): Promise<ListenerProcess> {
    const command = [process.execPath, child, folder, secret, JSON.stringify(settings)];
    const [file = '', ...args] =
      largestFileKb === undefined
        ? command
        : ['bash', '-c', `ulimit -f ${largestFileKb}; exec "$0" "$@"`, ...command];
    const started = new ListenerProcess(spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
    started.port = await started.#told('port');
    started.#sender = new Sender(started.port, secret);
    return started;
  }

  /** Sends a delivery that verifies; resolves with the status, or rejects where there is none. */
  deliver(requestId: string, body: string): Promise<number> {
    return this.#sender?.deliver(requestId, body) ?? Promise.reject(new Error('It does not listen.'));
  }

  /** How much memory it has taken at most up to now, in MB. */
  async mostMemoryMb(): Promise<number> {
    const told = this.#told('mostKb');
    this.#process.stdin.write('\n');
    return (await told) / 1024;
  }

  /** SIGKILL: nothing in it gets to run any more. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await ended;
    this.#sender?.close();
  }

  /** The next number that it tells under that name. */
  #told(name: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const read = (line: string): void => {
        const value = (JSON.parse(line) as Record<string, unknown>)[name];
        if (typeof value !== 'number') return;
        this.#lines.off('line', read);
        resolve(value);
      };
      this.#lines.on('line', read).once('close', () => reject(new Error('The listener has ended.')));
    });
  }
}
