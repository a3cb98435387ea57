import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Rpc, connectRpc } from '../../src/shared/rpc/rpc.ts';
import type { SoakCalls, SoakNews, WindowOptions, WindowState } from './windowProgram.ts';

const program = fileURLToPath(new URL('windowProgram.ts', import.meta.url));

/** A process that attaches to a listener program as a window does. */
export class SoakWindow {
  readonly #process: ChildProcess;
  readonly rpc: Rpc<SoakCalls>;
  /** The last reported state of its program. */
  state: WindowState = { pid: 0, port: 0, problem: undefined };
  #errors = '';
  #isEnding = false;

  private constructor(onFailure: (failure: string) => void) {
    const child = (this.#process = fork(program, {
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    }));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
    this.rpc = connectRpc<SoakCalls, SoakNews>(
      {
        post: (message) => {
          if (child.connected) child.send(message as object);
        },
        onMessage: (listener) => child.on('message', listener),
      },
      {
        state: (state) => {
          this.state = state;
        },
      },
    );
    // "close" comes after the rest of stderr, unlike "exit".
    child.on('close', (code, signal) => {
      this.rpc.close(new Error('The window has ended.'));
      if (!this.#isEnding) onFailure(`A window ended by itself (${code ?? signal ?? '?'}): ${this.#errors}`);
    });
  }

  /** @param onFailure called if the process exits by itself, such as after an unhandled rejection */
  static async open(options: WindowOptions, onFailure: (failure: string) => void): Promise<SoakWindow> {
    const window = new SoakWindow(onFailure);
    try {
      window.state = await window.rpc.call.start(options);
    } catch (error) {
      await window.kill();
      throw error;
    }
    return window;
  }

  /** Kills the process with SIGKILL. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#isEnding = true;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  /**
   * Closes the window as a user does.
   * @param keepAliveSeconds how long the program keeps running without a window
   */
  async leave(keepAliveSeconds: number): Promise<void> {
    await this.rpc.call.leave({ keepAliveSeconds });
    await this.kill();
  }
}
