import { setTimeout as pause } from 'node:timers/promises';
import { attachProgram, type ProgramPeer } from '../../src/client/program/attachProgram.ts';
import { processSettings } from './listenerProcess.ts';
import { deafWindow } from './deafWindow.ts';

export interface StayingWindowOptions {
  /** The bundle of the command line, and the version that it says it has. */
  entry: string;
  version: string;
  /** The storage folder. */
  folder: string;
}

/** A window that is attached again whenever its program ends, and has it listen on the port that it had. */
export class StayingWindow {
  readonly #options: StayingWindowOptions;
  #attached: Promise<ProgramPeer>;
  #isLeaving = false;
  /** The process id of its program. */
  pid = 0;
  port = 0;

  private constructor(options: StayingWindowOptions) {
    this.#options = options;
    this.#attached = this.#attach();
  }

  static async open(options: StayingWindowOptions): Promise<StayingWindow> {
    const window = new StayingWindow(options);
    await window.#attached;
    return window;
  }

  async leave(): Promise<void> {
    this.#isLeaving = true;
    const peer = await this.#attached;
    await peer.request('stop', null);
    await peer.closed;
  }

  async #attach(): Promise<ProgramPeer> {
    const { peer, welcome } = await attachProgram({
      ...this.#options,
      replaces: false,
      hello: () => Promise.resolve({ settings: processSettings, messages: {} }),
      handlers: deafWindow,
    });
    this.pid = welcome.pid;
    this.port = (await this.#listen(peer)).port;
    void peer.closed.then(() => {
      if (!this.#isLeaving) this.#attached = this.#attach();
    });
    return peer;
  }

  /** The system may take a while to let go of the port of a program that was killed. */
  async #listen(peer: ProgramPeer): Promise<{ port: number }> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await peer.request('listen', { port: this.port });
      } catch (error) {
        const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
        if (!isTaken || tries === 200) throw error;
        await pause(10);
      }
    }
  }
}
