import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { programFolder } from '../../model/processes/controlFile.ts';
import type { ListenerSettings } from '../../model/processes/listenerProtocol.ts';
import { UserError } from '../../model/text/userError.ts';
import { DeliveryStore } from '../../listener/store/deliveryStore.ts';
import { FolderLock } from '../../listener/program/folderLock.ts';
import { Forwarder } from '../../listener/forwarding/forwarder.ts';
import { WebhookListener } from '../../listener/intake/listener.ts';
import { reasonFor } from '../../listener/intake/reasonFor.ts';
import { DeliveryPrinter } from './deliveryPrinter.ts';
import { failed } from '../failed.ts';
import { printError } from '../print.ts';
import { deliveriesFolder } from '../options/storeFolder.ts';

export interface KeptListenerOptions {
  /** The storage folder, which no other program listens for meanwhile. */
  folder: string;
  /** 0 is any. */
  port: number;
  settings: ListenerSettings;
  isJson: boolean;
}

/** A listener in this process, with a store of its own, that prints what comes. */
export class KeptListener {
  readonly #options: KeptListenerOptions;
  readonly #lock: FolderLock;
  readonly #store: DeliveryStore;
  readonly #forwarder = new Forwarder(() => performance.now());
  readonly #listener: WebhookListener;
  #printer: DeliveryPrinter | undefined;
  #problem: Error | undefined;

  constructor(options: KeptListenerOptions) {
    this.#options = options;
    const { folder, settings } = options;
    this.#lock = new FolderLock(join(folder, programFolder));
    this.#store = new DeliveryStore({
      folder: deliveriesFolder(folder),
      keep: settings.keep,
      now: Date.now,
      onProblem: (problem) => this.#noteProblem(problem),
      onSetAside: (path) => printError(`The file of the deliveries was broken, and is kept as ${path}.`),
      onChanged: () => this.#printer?.changed(),
      reasonFor: (delivery) => reasonFor(delivery, settings),
    });
    // Ids of two programs never meet, though both count from one.
    const session = randomBytes(4).toString('hex');
    let count = 0;
    this.#listener = new WebhookListener({
      store: this.#store,
      forwarder: this.#forwarder,
      settings,
      now: Date.now,
      nextId: () => `${session}-${(count += 1).toString()}`,
      onArrived: () => undefined,
      onRefused: (refused) => this.#printer?.refused(refused),
    });
  }

  /**
   * Takes the folder, and listens.
   * @param onListening told of the port before the first line of a delivery
   * @throws UserError where another program listens for the folder, or the port cannot be had
   */
  async start(onListening: (port: number) => void): Promise<void> {
    const { folder, port, isJson } = this.#options;
    await this.#takeFolder();
    try {
      this.#store.open();
      if (this.#problem !== undefined) throw failed(`No deliveries can be kept in ${folder}`, this.#problem);
      const got = await this.#listener.listen(port).catch((error: unknown) => {
        throw failed(`The port ${port} cannot be had`, error);
      });
      const isHandingOn = (id: string): boolean => this.#listener.isHandingOn(id);
      onListening(got);
      this.#printer = new DeliveryPrinter({ store: this.#store, isHandingOn, isJson });
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  /** Ends: what has come whole is answered, kept and printed. */
  async end(): Promise<void> {
    await this.#listener.close();
    this.#printer?.end();
    this.#forwarder.close();
    this.#store.close();
    // Last: another may begin to listen from here on.
    this.#lock.release();
  }

  async #takeFolder(): Promise<void> {
    const { folder } = this.#options;
    const isTaken = await this.#tryToTake().catch((error: unknown) => {
      throw failed(`No deliveries can be kept in ${folder}`, error);
    });
    // guard: one program alone keeps deliveries in a folder
    if (!isTaken) {
      throw new UserError(
        `Another program listens and keeps its deliveries in ${folder}: name another folder by --store.`,
      );
    }
  }

  async #tryToTake(): Promise<boolean> {
    mkdirSync(join(this.#options.folder, programFolder), { recursive: true, mode: 0o700 });
    return this.#lock.take(0);
  }

  #noteProblem(problem: Error | undefined): void {
    this.#problem = problem;
    // Before it listens, the problem is the reason why it does not.
    if (this.#printer === undefined) return;
    printError(
      problem === undefined
        ? 'Deliveries are kept again.'
        : failed('Deliveries cannot be kept and get no answer', problem).message,
    );
  }
}
