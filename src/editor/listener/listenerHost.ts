import * as vscode from 'vscode';
import type { Handlers } from '../../model/channel.ts';
import type { HostCalls, ListenerSettings, WorkerCalls } from '../../model/listenerProtocol.ts';
import { ListenerWorker } from './listenerWorker.ts';

export interface ListenerHostOptions {
  /** The bundle of webhooks/listener.worker. */
  workerFile: string;
  /** The folder of the journal. */
  folder: string;
  /** What the listener goes by, read anew. */
  readSettings: () => Promise<ListenerSettings>;
  handlers: Handlers<WorkerCalls>;
  /** The thread has ended without having been asked to. */
  onDied: (reason: Error) => void;
}

/** Keeps the listener's one thread: it is started by whoever asks first, and again after it died. */
export class ListenerHost {
  readonly #options: ListenerHostOptions;
  #worker: Promise<ListenerWorker> | undefined;
  #closed = false;

  constructor(options: ListenerHostOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  async ask<K extends keyof HostCalls>(
    name: K,
    takes: HostCalls[K]['takes'],
  ): Promise<HostCalls[K]['gives']> {
    return (await this.start()).channel.request(name, takes);
  }

  start(): Promise<ListenerWorker> {
    // A start that was under way when the window closed must not leave a thread behind.
    if (this.#closed) return Promise.reject(new Error('The listener has ended with its window.'));
    this.#worker ??= this.#newWorker().catch((error: unknown) => {
      this.#worker = undefined;
      throw error;
    });
    return this.#worker;
  }

  /** Sends settings and secrets to the thread, where there is one. */
  async configure(): Promise<void> {
    const worker = await this.#worker;
    await worker?.channel.request('configure', await this.#options.readSettings());
  }

  /** Ends the thread. What it acknowledged is on the disk. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await (await worker)?.end();
  }

  /** Ends the thread for good. */
  close(): Promise<void> {
    this.#closed = true;
    return this.end();
  }

  async #newWorker(): Promise<ListenerWorker> {
    const { workerFile, folder, readSettings, handlers, onDied } = this.#options;
    const settings = await readSettings();
    const messages = { ...vscode.l10n.bundle };
    const data = { folder, settings: { ...settings, secrets: [] }, messages };
    const worker = new ListenerWorker(workerFile, data, handlers, (reason) => {
      this.#worker = undefined;
      onDied(reason);
    });
    await worker.channel.request('configure', settings);
    return worker;
  }
}
