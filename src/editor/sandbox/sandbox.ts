import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import type { SandboxFault } from '../../model/sandboxFault.ts';
import type {
  FromSandbox,
  LocalApps,
  SandboxAddress,
  SandboxApp,
  SandboxWorkerData,
  ToSandbox,
} from '../../model/sandboxProtocol.ts';
import { UserError } from '../../model/userError.ts';
import type { Log } from '../log.ts';

/** Where the sandbox stands. */
export type SandboxState =
  | { kind: 'stopped' }
  | { kind: 'starting' }
  | { kind: 'running'; address: SandboxAddress; faults: readonly SandboxFault[] }
  | { kind: 'failed'; reason: string };

/** The sandbox of this window: a thread that is the whole service, on loopback. */
export class Sandbox implements vscode.Disposable {
  readonly #workerPath: string;
  readonly #apps: () => LocalApps;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<SandboxState>();
  #state: SandboxState = { kind: 'stopped' };
  #worker: Worker | undefined;
  /** One start or stop at a time. */
  #last: Promise<unknown> = Promise.resolve();
  readonly onDidChangeState = this.#changed.event;

  /**
   * @param workerPath the worker's bundle
   * @param apps the user's own apps, asked for at each start
   */
  constructor(workerPath: string, apps: () => LocalApps, log: Log) {
    this.#workerPath = workerPath;
    this.#apps = apps;
    this.#log = log;
  }

  get state(): SandboxState {
    return this.#state;
  }

  /**
   * Starts the sandbox; one that runs is left as it is.
   * @param options.port 0 or absent for any free port
   * @throws UserError where the port is taken, an app has no http address, or another port is in use already
   */
  start({ port = 0 }: { port?: number } = {}): Promise<SandboxAddress> {
    return this.#inTurn(async () => {
      if (this.#state.kind !== 'running') return this.#start(port);
      const { address } = this.#state;
      if (port === 0 || new URL(address.baseUrl).port === port.toString()) return address;
      throw new UserError(
        vscode.l10n.t('The sandbox runs at {0} already. Stop it to start it elsewhere.', address.baseUrl),
      );
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(async () => {
      const worker = this.#worker;
      this.#worker = undefined;
      this.#setState({ kind: 'stopped' });
      await worker?.terminate();
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
  setFaults(faults: readonly SandboxFault[]): void {
    const { address } = this.running();
    this.#post({ kind: 'setFaults', faults: [...faults] });
    this.#setState({ kind: 'running', address, faults });
  }

  /** Back to the seeded state, without faults. @throws UserError where the sandbox is not running */
  reset(): void {
    const { address } = this.running();
    this.#post({ kind: 'reset' });
    this.#setState({ kind: 'running', address, faults: [] });
  }

  /** Takes over a change of the user's own apps. */
  refreshApps(): void {
    if (this.#state.kind === 'running') this.#post({ kind: 'setApps', apps: this.#apps() });
  }

  dispose(): void {
    this.stop().catch((error: unknown) => this.#log.error(String(error)));
    this.#changed.dispose();
  }

  #start(port: number): Promise<SandboxAddress> {
    this.#setState({ kind: 'starting' });
    const worker = new Worker(this.#workerPath, {
      workerData: { port, apps: this.#apps() } satisfies SandboxWorkerData,
      name: 'runhook-sandbox',
    });
    this.#worker = worker;
    return new Promise((resolve, reject) => {
      const fail = (reason: string) => {
        if (this.#worker !== worker) return;
        this.#worker = undefined;
        this.#setState({ kind: 'failed', reason });
        this.#log.error(`The sandbox ended: ${reason}`);
        reject(new UserError(failureText(reason, port)));
      };
      worker.on('message', (message: FromSandbox) => {
        if (message.kind === 'failed') fail(message.reason);
        else if (message.kind !== 'started') this.#handle(message);
        else {
          this.#setState({ kind: 'running', address: message.address, faults: [] });
          resolve(message.address);
        }
      });
      worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)));
      worker.on('exit', (code) => fail(`exit code ${code}`));
    });
  }

  #handle(message: Exclude<FromSandbox, { kind: 'started' | 'failed' }>): void {
    switch (message.kind) {
      case 'log':
        this.#log.info(`Sandbox: ${message.line}`);
        break;
      case 'refused':
        this.#log.warn(`Sandbox: ${message.reason}`);
        break;
      case 'appsChanged':
        this.#takeApps(message.apps);
    }
  }

  #takeApps(apps: SandboxApp[]): void {
    if (this.#state.kind !== 'running') return;
    this.#setState({ ...this.#state, address: { ...this.#state.address, apps } });
  }

  #post(message: ToSandbox): void {
    this.#worker?.postMessage(message);
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

function failureText(reason: string, port: number): string {
  if (/EADDRINUSE/.test(reason)) {
    return vscode.l10n.t('The sandbox cannot start: port {0} is in use. Choose another, or 0 for any.', port);
  }
  if (/EACCES/.test(reason)) {
    return vscode.l10n.t(
      'The sandbox cannot start: port {0} may not be used. Choose another, or 0 for any.',
      port,
    );
  }
  return vscode.l10n.t('The sandbox cannot start: {0}', reason);
}
