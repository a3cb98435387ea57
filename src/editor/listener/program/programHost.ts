import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ProgramPeer } from '../../../client/program/attachProgram.ts';
import type { Handlers } from '../../../model/processes/channel.ts';
import { ConnectionEndedError } from '../../../model/processes/peer.ts';
import { controlFileName, programFolder } from '../../../model/processes/controlFile.ts';
import type {
  ListenerSettings,
  ProgramCalls,
  Welcome,
  WindowCalls,
} from '../../../model/processes/listenerProtocol.ts';

/** What is started, and where. */
export interface ProgramPlace {
  /** The bundle of the command line, which is the listener program too. */
  entry: string;
  /** The storage folder, which has one program for all windows. */
  folder: string;
  /** The version of Runhook. */
  version: string;
}

interface ProgramHostOptions extends ProgramPlace {
  /** Up to where this window was told of deliveries. */
  after: () => number | undefined;
  /** What the listener goes by, read anew. */
  readSettings: () => Promise<ListenerSettings>;
  /** Takes what the program tells. */
  handlers: Handlers<WindowCalls>;
  /** @param handedOver the port that a program of another version has handed over to this one */
  onAttached: (welcome: Welcome, handedOver: number | undefined) => void;
  onEnded: () => void;
}

/** Keeps this window attached to the listener program: whoever asks first attaches, and starts it if need be. */
export class ProgramHost {
  readonly #options: ProgramHostOptions;
  #attached: Promise<ProgramPeer> | undefined;
  /** Whether that is no more than a try to join one that runs. */
  #onlyJoins = false;
  #hasAttached = false;
  #isClosed = false;

  constructor(options: ProgramHostOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#attached !== undefined;
  }

  async ask<K extends keyof ProgramCalls>(
    name: K,
    takes: ProgramCalls[K]['takes'],
  ): Promise<ProgramCalls[K]['gives']> {
    return (await this.start()).request(name, takes);
  }

  /** Attaches where a program runs already, such as that of another window; does nothing where none does. */
  async join(): Promise<void> {
    const control = join(this.#options.folder, programFolder, controlFileName);
    if (this.#attached !== undefined) {
      // Whoever asks where the program stands knows it then.
      await this.#attached.catch(() => undefined);
      return;
    }
    if (!existsSync(control)) return;
    this.#onlyJoins = true;
    await this.#attachOnce(false);
  }

  /** Attaches, and starts a program where none runs. */
  async start(): Promise<ProgramPeer> {
    // The one that was there to join may have ended meanwhile.
    if (this.#onlyJoins) await this.#attached?.catch(() => undefined);
    this.#onlyJoins = false;
    return this.#attachOnce(true);
  }

  /** Sends settings and secrets to the program, where this window is attached to one. */
  async configure(): Promise<void> {
    const peer = await this.#attached;
    await peer?.request('configure', await this.#options.readSettings());
  }

  /** Ends the program for all windows. What it acknowledged is on the disk. */
  async stop(): Promise<void> {
    const peer = await (this.#onlyJoins ? this.#attached?.catch(() => undefined) : this.#attached);
    await peer?.request('stop', null).catch((error: unknown) => {
      // Another window has ended it.
      if (!(error instanceof ConnectionEndedError)) throw error;
    });
    await peer?.closed;
  }

  /** Leaves the program for good; it decides by itself how long it goes on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const attached = this.#attached;
    this.#attached = undefined;
    (await attached)?.close();
  }

  #attachOnce(starts: boolean): Promise<ProgramPeer> {
    // An attempt that was under way when the window closed must not leave a program behind.
    if (this.#isClosed) return Promise.reject(new Error('The window has left the listener program.'));
    this.#attached ??= this.#attach(starts).catch((error: unknown) => {
      this.#attached = undefined;
      throw error;
    });
    return this.#attached;
  }

  async #attach(starts: boolean): Promise<ProgramPeer> {
    const { attachProgram } = await import('../../../client/program/attachProgram.ts');
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
    void peer.closed.then(() => {
      if (this.#isClosed) return;
      this.#attached = undefined;
      onEnded();
    });
    onAttached(welcome, handedOver);
    return peer;
  }
}
