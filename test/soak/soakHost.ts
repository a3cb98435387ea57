import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Channel } from '../../src/model/channel.ts';
import type { HostOptions, SoakCalls } from './hostProgram.ts';

const program = fileURLToPath(new URL('hostProgram.ts', import.meta.url));

/** A process that listens as the extension host does. */
export class SoakHost {
  readonly #process: ChildProcess;
  readonly channel: Channel<SoakCalls, { problem: { takes: string | undefined; gives: null } }>;
  /** What it said last of its journal: why it keeps nothing, or undefined where it does. */
  problem: string | undefined;
  #errors = '';
  #isEnding = false;

  private constructor(onFailure: (failure: string) => void) {
    this.#process = fork(program, {
      execArgv: ['--expose-gc', '--no-warnings'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
    const child = this.#process;
    this.channel = new Channel(
      {
        postMessage: (message) => {
          if (child.connected) child.send(message as object);
        },
        on: (event, listener) => child.on(event, listener),
      },
      {
        problem: (problem) => {
          this.problem = problem;
          return null;
        },
      },
    );
    child.on('exit', (code, signal) => {
      this.channel.close(new Error('The host has ended.'));
      if (!this.#isEnding) onFailure(`A host ended by itself (${code ?? signal ?? '?'}): ${this.#errors}`);
    });
  }

  /** @param onFailure told when it ends without having been asked to: an error or rejection that nobody handled */
  static async start(options: HostOptions, onFailure: (failure: string) => void): Promise<SoakHost> {
    const host = new SoakHost(onFailure);
    try {
      await host.channel.request('start', options);
    } catch (error) {
      await host.kill();
      throw error;
    }
    return host;
  }

  /** SIGKILL: nothing in it gets to run any more. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#isEnding = true;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  /** As when a window is closed. */
  async end(): Promise<void> {
    await this.channel.request('end', null);
    await this.kill();
  }
}
