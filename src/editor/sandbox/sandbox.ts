import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import { Channel } from '../../model/channel.ts';
import { failureText } from '../../model/failureReason.ts';
import type { SandboxFault } from '../../model/sandboxFault.ts';
import type {
  AppliedByApp,
  LocalApps,
  SandboxAddress,
  SandboxCalls,
  SandboxNews,
} from '../../model/sandboxProtocol.ts';
import { UserError } from '../../model/userError.ts';
import type { Log } from '../log.ts';
import { PortTakenError } from '../portTakenError.ts';
import { reloadWaitsMs, retryPort, retryWaitsMs } from '../retryPort.ts';

/** Where a workspace remembers the port of its sandbox. */
const portKey = 'sandbox.port';

/** Where the sandbox stands, and what it holds while it runs. */
export type SandboxState =
  | { kind: 'stopped' }
  | { kind: 'starting' }
  | {
      kind: 'running';
      address: SandboxAddress;
      faults: readonly SandboxFault[];
      applied: AppliedByApp;
    }
  | { kind: 'failed'; reason: string };

interface Thread {
  worker: Worker;
  channel: Channel<SandboxCalls, SandboxNews>;
}

/** The sandbox of this window: a thread that is the whole service, on loopback. */
export class Sandbox implements vscode.Disposable {
  readonly #workerPath: string;
  readonly #apps: () => LocalApps;
  readonly #memento: vscode.Memento;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<SandboxState>();
  #state: SandboxState = { kind: 'stopped' };
  #thread: Thread | undefined;
  /** One change at a time. */
  #last: Promise<unknown> = Promise.resolve();
  readonly onDidChangeState = this.#changed.event;

  /**
   * @param workerPath the worker's bundle
   * @param apps the user's own apps, asked for at each start
   * @param memento keeps the port for the next start
   */
  constructor(workerPath: string, apps: () => LocalApps, memento: vscode.Memento, log: Log) {
    this.#workerPath = workerPath;
    this.#apps = apps;
    this.#memento = memento;
    this.#log = log;
  }

  get state(): SandboxState {
    return this.#state;
  }

  /**
   * Starts the sandbox; one that runs is left as it is.
   * @param options.port 0 for any free port; absent for the port that it had before, if that is free
   * @throws UserError where the port is taken, an app has no http address, or another port is in use already
   */
  start({ port }: { port?: number } = {}): Promise<SandboxAddress> {
    return this.#inTurn(async () => {
      if (this.#state.kind !== 'running') return this.#start(port, retryWaitsMs);
      const { address } = this.#state;
      if (port === undefined || port === 0 || port === portOf(address)) return address;
      throw new UserError(
        vscode.l10n.t('The sandbox runs at {0} already. Stop it to start it elsewhere.', address.baseUrl),
      );
    });
  }

  /** Starts where it was before the window was reloaded. @throws UserError where an app has no http address */
  resume(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#state.kind !== 'running') await this.#start(undefined, reloadWaitsMs);
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(async () => {
      const thread = this.#thread;
      this.#thread = undefined;
      this.#setState({ kind: 'stopped' });
      await thread?.worker.terminate();
    });
  }

  /** @throws UserError where it is not running */
  running(): SandboxState & { kind: 'running' } {
    if (this.#state.kind === 'running') return this.#state;
    throw new UserError(
      vscode.l10n.t('The sandbox is not running. Start it first (Runhook: Start Sandbox).'),
    );
  }

  /** Every call from now on has these faults. @throws UserError where the sandbox is not running */
  setFaults(faults: readonly SandboxFault[]): Promise<void> {
    return this.#inTurn(async () => {
      this.running();
      await this.#thread?.channel.request('setFaults', faults);
      this.#setState({ ...this.running(), faults });
    });
  }

  /** Back to the seeded state, without faults. @throws UserError where the sandbox is not running */
  reset(): Promise<void> {
    return this.#inTurn(async () => {
      this.running();
      await this.#thread?.channel.request('reset', null);
      this.#setState({ ...this.running(), faults: [] });
    });
  }

  /** Takes over a change of the user's own apps, if it runs. @throws UserError where one has no http address */
  refreshApps(): Promise<void> {
    return this.#inTurn(async () => {
      const apps = await this.#thread?.channel.request('setApps', this.#apps());
      const state = this.#state;
      if (apps !== undefined && state.kind === 'running') {
        this.#setState({ ...state, address: { ...state.address, apps } });
      }
    });
  }

  dispose(): void {
    this.stop().catch((error: unknown) => this.#log.error(String(error)));
    this.#changed.dispose();
  }

  async #start(port: number | undefined, waitsMs: readonly number[]): Promise<SandboxAddress> {
    this.#setState({ kind: 'starting' });
    const thread = this.#launch();
    try {
      const address = await this.#listen(thread, port, waitsMs);
      this.#setState({ kind: 'running', address, faults: [], applied: {} });
      await this.#memento.update(portKey, portOf(address));
      return address;
    } catch (error) {
      this.#fail(thread, error);
      await thread.worker.terminate();
      throw error;
    }
  }

  /** What points at the sandbox stays right as long as its port can be had again. */
  async #listen(
    { channel }: Thread,
    port: number | undefined,
    waitsMs: readonly number[],
  ): Promise<SandboxAddress> {
    const apps = this.#apps();
    const listen = (at: number) =>
      retryPort(at, waitsMs, (free) => channel.request('start', { port: free, apps }));
    if (port !== undefined) return listen(port);
    try {
      return await listen(this.#memento.get(portKey, 0));
    } catch (error) {
      if (!(error instanceof PortTakenError)) throw error;
      return listen(0);
    }
  }

  #launch(): Thread {
    const worker = new Worker(this.#workerPath, { name: 'runhook-sandbox' });
    const log = (line: string) => {
      this.#log.info(`Sandbox: ${line}`);
      return null;
    };
    const applied = (byApp: AppliedByApp) => {
      if (this.#thread === thread && this.#state.kind === 'running') {
        this.#setState({ ...this.#state, applied: byApp });
      }
      return null;
    };
    const channel = new Channel<SandboxCalls, SandboxNews>(worker, { log, applied });
    const thread: Thread = { worker, channel };
    this.#thread = thread;
    let cause = vscode.l10n.t('its thread ended');
    worker.on('error', (error: Error) => {
      cause = failureText(error, vscode.l10n.t);
      this.#log.error(error);
    });
    worker.on('exit', () => {
      const reason = new UserError(vscode.l10n.t('The sandbox ended: {0}', cause));
      thread.channel.close(reason);
      this.#fail(thread, reason);
    });
    return thread;
  }

  /** The thread is of no more use, and nobody asked for that. */
  #fail(thread: Thread, error: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#log.error(error instanceof Error ? error : String(error));
    this.#setState({ kind: 'failed', reason: failureText(error, vscode.l10n.t) });
  }

  #setState(state: SandboxState): void {
    this.#state = state;
    this.#changed.fire(state);
  }

  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#last.then(action);
    // An action that failed must not stop the ones after it.
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function portOf({ baseUrl }: SandboxAddress): number {
  return Number(new URL(baseUrl).port);
}
