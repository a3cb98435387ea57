import { setTimeout as pause } from 'node:timers/promises';
import { attachProgram, type ProgramPeer } from '../../../src/client/program/attachProgram.ts';
import { processSettings } from './listenerProcess.ts';
import { ignoringHandlers } from './ignoringHandlers.ts';

interface StayingWindowOptions {
  /** The bundled command line, and the version that it reports. */
  entry: string;
  version: string;
  /** The storage folder. */
  folder: string;
}

/** A window that starts its listener program again whenever it exits, on the same port. */
export class ReattachingWindow {
  readonly #options: StayingWindowOptions;
  #attached: Promise<ProgramPeer>;
  #isLeaving = false;
  /** The process id of the listener program. */
  pid = 0;
  port = 0;

  private constructor(options: StayingWindowOptions) {
    this.#options = options;
    this.#attached = this.#attach();
  }

  static async open(options: StayingWindowOptions): Promise<ReattachingWindow> {
    const window = new ReattachingWindow(options);
    await window.#attached;
    return window;
  }

  async leave(): Promise<void> {
    this.#isLeaving = true;
    const peer = await this.#attached;
    await peer.call.stop();
    await peer.closed;
  }

  async #attach(): Promise<ProgramPeer> {
    const { peer, welcome } = await attachProgram({
      ...this.#options,
      replaces: false,
      hello: () => Promise.resolve({ settings: processSettings, messages: {} }),
      handlers: ignoringHandlers,
    });
    this.pid = welcome.pid;
    this.port = (await this.#listen(peer)).port;
    void peer.closed.then(() => {
      if (!this.#isLeaving) this.#attached = this.#attach();
    });
    return peer;
  }

  /** Retries, because the system may take a while to free the port of a killed program. */
  async #listen(peer: ProgramPeer): Promise<{ port: number }> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await peer.call.listen({ port: this.port });
      } catch (error) {
        const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
        if (!isTaken || tries === 200) throw error;
        await pause(10);
      }
    }
  }
}
