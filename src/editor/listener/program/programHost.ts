import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ProgramPeer } from '../../../listener/attach/attachProgram.ts';
import { askProgram } from '../../../listener/attach/programReply.ts';
import { controlFileName, programFolder } from '../../../listener/attach/controlFile.ts';
import type {
  ListenerSettings,
  ProgramCalls,
  Welcome,
  WindowCalls,
} from '../../../deliveries/listenerProtocol.ts';
import type { Handlers, Remote } from '../../../shared/rpc/rpc.ts';
import { ConnectionEndedError } from '../../../shared/rpc/socketRpc.ts';

/** The program to start, and where. */
export interface ProgramPlace {
  /** The command-line bundle, which is also the listener program. */
  entry: string;
  /** The storage folder. All windows that use it share one program. */
  folder: string;
  /** The version of Runhook. */
  version: string;
}

interface ProgramHostOptions extends ProgramPlace {
  /** The store revision up to which this window has received deliveries; undefined if it never has. */
  after: () => number | undefined;
  /** Reads the listener's current settings. */
  readSettings: () => Promise<ListenerSettings>;
  /** Handles messages from the program. */
  handlers: Handlers<WindowCalls>;
  /** @param handedOver the port that a program of another version has handed over to this one */
  onAttached: (welcome: Welcome, handedOver: number | undefined) => void;
  onEnded: () => void;
}

/** Keeps this window attached to the listener program. The first request attaches, and starts it if needed. */
export class ProgramHost {
  readonly #options: ProgramHostOptions;
  #attached: Promise<ProgramPeer> | undefined;
  /** The process of the program that this window was last attached to. */
  #pid: number | undefined;
  /** Whether `#attached` only tries to join a running program, and does not start one. */
  #onlyJoins = false;
  #hasAttached = false;
  #isClosed = false;

  constructor(options: ProgramHostOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#attached !== undefined;
  }

  /** Asks the program. Rejects if it stands still; the reply itself may take as long as it needs. */
  async ask<T>(ask: (program: Remote<ProgramCalls>) => Promise<T>): Promise<T> {
    return this.#ask(await this.start(), ask);
  }

  /** Attaches to a program that already runs, such as another window's. Does nothing if none runs. */
  async join(): Promise<void> {
    const control = join(this.#options.folder, programFolder, controlFileName);
    if (this.#attached !== undefined) {
      // A caller that then reads the program's state gets the current one.
      await this.#attached.catch(() => undefined);
      return;
    }
    if (!existsSync(control)) return;
    this.#onlyJoins = true;
    await this.#attachOnce(false);
  }

  /** Attaches, and starts a program if none runs. */
  async start(): Promise<ProgramPeer> {
    // The program to join may have ended meanwhile: that attempt must fail before one is started.
    if (this.#onlyJoins) await this.#attached?.catch(() => undefined);
    this.#onlyJoins = false;
    return this.#attachOnce(true);
  }

  /** Sends settings and secrets to the program, if this window is attached to one. */
  async configure(): Promise<void> {
    const peer = await this.#attached;
    if (peer === undefined) return;
    const settings = await this.#options.readSettings();
    await this.#ask(peer, (program) => program.configure(settings));
  }

  /** Ends the program for all windows. The deliveries it acknowledged are on disk. */
  async stop(): Promise<void> {
    const peer = await (this.#onlyJoins ? this.#attached?.catch(() => undefined) : this.#attached);
    if (peer === undefined) return;
    await this.#ask(peer, (program) => program.stop()).catch((error: unknown) => {
      // Another window has already ended it.
      if (!(error instanceof ConnectionEndedError)) throw error;
    });
    await peer.closed;
  }

  /** Ends it too, with no delivery left. It is started for that if none runs. */
  async erase(): Promise<void> {
    const peer = await this.start();
    await this.#ask(peer, (program) => program.erase());
    await peer.closed;
  }

  /** Detaches from the program for good. The program itself decides how long it keeps running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const attached = this.#attached;
    this.#attached = undefined;
    (await attached)?.close();
  }

  #ask<T>({ call }: ProgramPeer, ask: (program: Remote<ProgramCalls>) => Promise<T>): Promise<T> {
    return askProgram(call, ask, this.#pid);
  }

  #attachOnce(starts: boolean): Promise<ProgramPeer> {
    // An attempt in flight when the window closes must not leave a program behind.
    if (this.#isClosed) return Promise.reject(new Error('The window has left the listener program.'));
    this.#attached ??= this.#attach(starts).catch((error: unknown) => {
      this.#attached = undefined;
      throw error;
    });
    return this.#attached;
  }

  async #attach(starts: boolean): Promise<ProgramPeer> {
    const { attachProgram } = await import('../../../listener/attach/attachProgram.ts');
    const { entry, folder, version, after, readSettings, handlers, onAttached, onEnded } = this.#options;
    const { peer, welcome, handedOver } = await attachProgram({
      entry,
      folder,
      version,
      replaces: !this.#hasAttached,
      starts,
      hello: async () => {
        const told = after();
        const settings = await readSettings();
        return { ...(told !== undefined && { after: told }), settings, messages: { ...vscode.l10n.bundle } };
      },
      handlers,
    });
    if (this.#isClosed) peer.close();
    this.#hasAttached = true;
    this.#pid = welcome.pid;
    void peer.closed.then(() => {
      if (this.#isClosed) return;
      this.#attached = undefined;
      onEnded();
    });
    onAttached(welcome, handedOver);
    return peer;
  }
}
