import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Channel } from '../../src/model/processes/channel.ts';
import type { SoakCalls, WindowOptions, WindowState } from './windowProgram.ts';

const program = fileURLToPath(new URL('windowProgram.ts', import.meta.url));

/** A process that is attached to a listener program as a window is. */
export class SoakWindow {
  readonly #process: ChildProcess;
  readonly channel: Channel<SoakCalls, { state: { takes: WindowState; gives: null } }>;
  /** What it said last of its program. */
  state: WindowState = { pid: 0, port: 0, problem: undefined };
  #errors = '';
  #isEnding = false;

  private constructor(onFailure: (failure: string) => void) {
    const child = (this.#process = fork(program, {
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    }));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
    this.channel = new Channel(
      {
        postMessage: (message) => {
          if (child.connected) child.send(message as object);
        },
        on: (event, listener) => child.on(event, listener),
      },
      {
        state: (state) => {
          this.state = state;
          return null;
        },
      },
    );
    // Not "exit": what it wrote to stderr is still on its way then.
    child.on('close', (code, signal) => {
      this.channel.close(new Error('The window has ended.'));
      if (!this.#isEnding) onFailure(`A window ended by itself (${code ?? signal ?? '?'}): ${this.#errors}`);
    });
  }

  /** @param onFailure told when it ends without having been asked to: an error or rejection that nobody handled */
  static async open(options: WindowOptions, onFailure: (failure: string) => void): Promise<SoakWindow> {
    const window = new SoakWindow(onFailure);
    try {
      window.state = await window.channel.request('start', options);
    } catch (error) {
      await window.kill();
      throw error;
    }
    return window;
  }

  /** SIGKILL: nothing in it gets to run any more. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#isEnding = true;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  /**
   * As when a window is closed.
   * @param keepAliveSeconds how long the program goes on without a window
   */
  async leave(keepAliveSeconds: number): Promise<void> {
    await this.channel.request('leave', { keepAliveSeconds });
    await this.kill();
  }
}
