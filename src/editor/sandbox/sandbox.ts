import * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { PortTakenError, reloadWaitsMs, retryPort, retryWaitsMs } from '../kit/retryPort.ts';
import { Turns } from '../../shared/async/turns.ts';
import { connectRpc, type Handlers, type Remote, type Rpc, threadPort } from '../../shared/rpc/rpc.ts';
import { failureText } from '../../shared/http/failureReason.ts';
import type { SandboxFault } from '../../service/sandbox/sandboxFault.ts';
import type {
  AppliedByApp,
  IssuedTokens,
  LocalApps,
  SandboxAddress,
  SandboxCalls,
  SandboxNews,
} from '../../service/sandbox/sandboxProtocol.ts';
import { sandboxNotRunning } from '../../service/projects/projectErrors.ts';
import type { WebhookAttempt } from '../../service/webhookAttempt.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { config } from '../kit/config.ts';
import { rememberedSandbox } from '../kit/ids.ts';
import { type Log, logError } from '../kit/log.ts';

/** The state of the sandbox, and what it holds while it runs. */
export type SandboxState =
  /** `comesBack`: its window closes, and `resume` starts it again. */
  | { kind: 'stopped'; comesBack?: true }
  | { kind: 'starting' }
  | {
      kind: 'running';
      address: SandboxAddress;
      faults: readonly SandboxFault[];
      applied: AppliedByApp;
      /** It is back after a reload, at the same address and with the same tokens. */
      isBack: boolean;
      /** Another window of the same folder, or another program, has the port that it had. */
      hasMoved: boolean;
    }
  | { kind: 'failed'; reason: string };

type Running = SandboxState & { kind: 'running' };

interface SandboxParts {
  /** The worker's bundle. */
  workerPath: string;
  /** The user's own apps, asked for at each start. */
  apps: () => LocalApps;
  /** Keeps the port for the next start, and whether it ran. */
  memento: vscode.Memento;
  /** Keeps its tokens over a reload. */
  secrets: vscode.SecretStorage;
  log: Log;
}

/** The sandbox of this window: a worker thread that serves the whole service on loopback. */
export class Sandbox implements vscode.Disposable {
  readonly #parts: SandboxParts;
  readonly #issued: IssuedTokensStore;
  readonly #changed = new vscode.EventEmitter<SandboxState>();
  #state: SandboxState = { kind: 'stopped' };
  #thread: LaunchedSandbox | undefined;
  /** One change at a time. */
  readonly #turns = new Turns();
  readonly #attempted = new vscode.EventEmitter<WebhookAttempt>();
  /** Fires when an attempt to deliver a webhook has ended. */
  readonly onDidAttempt = this.#attempted.event;
  readonly onDidChangeState = this.#changed.event;

  constructor(parts: SandboxParts) {
    this.#parts = parts;
    this.#issued = new IssuedTokensStore(parts);
  }

  get state(): SandboxState {
    return this.#state;
  }

  /** Whether it has run in this workspace. */
  get wasUsed(): boolean {
    return this.#parts.memento.get(rememberedSandbox.port) !== undefined;
  }

  /**
   * Starts the sandbox. One that already runs stays as it is.
   * @param options.port 0 for any free port; absent for the previous port, if that is free
   * @throws UserError if the port is taken, an app has no http address, or the sandbox runs on another port
   */
  start({ port }: { port?: number } = {}): Promise<SandboxAddress> {
    return this.#turns.next(async () => {
      if (this.#state.kind !== 'running') return this.#start(port, retryWaitsMs);
      const { address } = this.#state;
      if (port === undefined || port === 0 || port === portOf(address)) return address;
      throw new UserError(
        t('The sandbox is already running at {0}. Stop it to start it elsewhere.', address.baseUrl),
      );
    });
  }

  /** Starts on the previous port if the sandbox ran when the window closed: it is back after a reload. */
  resume(): Promise<void> {
    return this.#turns.next(async () => {
      const { memento } = this.#parts;
      if (memento.get(rememberedSandbox.ran) !== true || this.#state.kind === 'running') return;
      await this.#start(undefined, reloadWaitsMs, {
        issued: await this.#issued.get(),
        faults: memento.get<readonly SandboxFault[]>(rememberedSandbox.faults, []),
        hasMoved: memento.get(rememberedSandbox.moved, false),
      });
    });
  }

  /** Stops the sandbox for good: `resume` does not start it again. */
  stop(): Promise<void> {
    return this.#turns.next(async () => {
      await this.#parts.memento.update(rememberedSandbox.ran, undefined);
      await this.#end({ kind: 'stopped' });
      await this.#issued.forget();
    });
  }

  /** Stops it, and forgets that it has run. */
  async erase(): Promise<void> {
    await this.stop();
    for (const key of [rememberedSandbox.port, rememberedSandbox.applied])
      await this.#parts.memento.update(key, undefined);
    this.#setState(this.#state);
  }

  /** Ends the sandbox with its window: `resume` starts it again. */
  end(): Promise<void> {
    return this.#turns.next(async () => {
      await this.#end(this.#state.kind === 'running' ? { kind: 'stopped', comesBack: true } : this.#state);
      await this.#issued.stored();
    });
  }

  /** @throws UserError if it is not running */
  running(): Running {
    if (this.#state.kind === 'running') return this.#state;
    throw sandboxNotRunning();
  }

  /** Applies faults to every call from now on. @throws UserError if the sandbox is not running */
  setFaults(faults: readonly SandboxFault[]): Promise<void> {
    return this.#turns.next(async () => {
      await this.ask((sandbox) => sandbox.setFaults(faults));
      await this.#remember({ ...this.running(), faults });
    });
  }

  /** Asks the thread. @throws UserError if the sandbox is not running */
  async ask<T>(call: (sandbox: Remote<SandboxCalls>) => Promise<T>): Promise<T> {
    const thread = this.#thread;
    if (this.#state.kind !== 'running' || thread === undefined) throw sandboxNotRunning();
    return call(thread.rpc.call);
  }

  /** Resets to the seeded state, without faults. @throws UserError if the sandbox is not running */
  reset(): Promise<void> {
    return this.#turns.next(async () => {
      await this.ask((sandbox) => sandbox.reset());
      await this.#remember({ ...this.running(), faults: [] });
    });
  }

  /** Applies a change of the user's own apps, if the sandbox runs. @throws UserError if one has no http address */
  refreshApps(): Promise<void> {
    return this.#turns.next(async () => {
      const apps = await this.#thread?.rpc.call.setApps(this.#parts.apps());
      const state = this.#state;
      if (apps !== undefined && state.kind === 'running') {
        this.#setState({ ...state, address: { ...state.address, apps } });
      }
    });
  }

  dispose(): void {
    this.end().catch((error: unknown) => this.#parts.log.error(String(error)));
    this.#changed.dispose();
    this.#attempted.dispose();
  }

  /** @param left what the sandbox before the reload has left */
  async #start(
    port: number | undefined,
    waitsMs: readonly number[],
    left: { issued?: IssuedTokens | undefined } & Pick<Running, 'faults' | 'hasMoved'> = {
      faults: [],
      hasMoved: false,
    },
  ): Promise<SandboxAddress> {
    const { issued, faults } = left;
    this.#setState({ kind: 'starting' });
    const { memento, log } = this.#parts;
    let applied = memento.get<AppliedByApp>(rememberedSandbox.applied, {});
    const news = {
      log: (line: string) => log.info(`Sandbox: ${line}`),
      applied: (all: AppliedByApp) => {
        if (this.#thread !== thread) return;
        applied = all;
        memento
          .update(rememberedSandbox.applied, all)
          .then(undefined, (error: unknown) => logError(log, error));
        if (this.#state.kind === 'running') this.#setState({ ...this.#state, applied });
      },
      issued: (all: IssuedTokens) => {
        if (this.#thread === thread) this.#issued.set(all);
      },
      attempt: (attempt: WebhookAttempt) => this.#attempted.fire(attempt),
    };
    const thread = new LaunchedSandbox(this.#parts.workerPath, news, this.#parts.log, (reason) => {
      this.#fail(thread, reason);
    });
    this.#thread = thread;
    try {
      const before = this.#parts.memento.get<number>(rememberedSandbox.port, 0);
      const address = await thread.listen(
        { apps: this.#parts.apps(), projectId: freeProjectId(), issued, applied },
        { port, before, waitsMs },
      );
      // At another address nothing is stored of it, nor is what another sandbox has stored its own.
      const isSame = portOf(address) === before;
      const isBack = address.token === issued?.initial[address.serviceAccountId] && isSame;
      const hasMoved = left.hasMoved || (port === undefined && before !== 0 && !isSame);
      await thread.rpc.call.setFaults(faults);
      await this.#remember({ kind: 'running', address, faults, applied, isBack, hasMoved });
      return address;
    } catch (error) {
      this.#fail(thread, error);
      await thread.end();
      throw error;
    }
  }

  async #remember(state: Running): Promise<void> {
    this.#setState(state);
    const { port, moved, faults, ran } = rememberedSandbox;
    for (const [key, value] of [
      [port, portOf(state.address)],
      [moved, state.hasMoved],
      [faults, state.faults],
      [ran, true],
    ] as const)
      await this.#parts.memento.update(key, value);
  }

  async #end(state: SandboxState): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#setState(state);
    await thread?.end();
  }

  /** Drops a thread that failed or ended without being asked to. */
  #fail(thread: LaunchedSandbox, error: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    // Its tokens leave the store with it.
    void this.#issued.forget();
    logError(this.#parts.log, error);
    this.#setState({ kind: 'failed', reason: failureText(error) });
  }

  #setState(state: SandboxState): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}

/** A project id that no project in the settings has, so that neither hides the other. */
export function freeProjectId(): string {
  const taken = config.projects().map(({ id }) => id);
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? 'p-sandbox' : `p-sandbox-${number}`;
    if (!taken.includes(id)) return id;
  }
}

function portOf({ baseUrl }: SandboxAddress): number {
  return Number(new URL(baseUrl).port);
}

/** The prefix of the keys under which the secret store has the tokens of sandboxes. */
const prefix = 'runhook.sandbox.tokens:';

/** Keeps the tokens of the sandbox of this workspace over a reload. A failure is logged: they are then new ones. */
class IssuedTokensStore {
  readonly #parts: Pick<SandboxParts, 'memento' | 'secrets' | 'log'>;
  readonly #turns = new Turns();

  constructor(parts: Pick<SandboxParts, 'memento' | 'secrets' | 'log'>) {
    this.#parts = parts;
  }

  async get(): Promise<IssuedTokens | undefined> {
    const id = this.#parts.memento.get<string>(rememberedSandbox.tokens);
    if (id === undefined) return undefined;
    try {
      const text = await this.#parts.secrets.get(prefix + id);
      return text === undefined ? undefined : (JSON.parse(text) as IssuedTokens);
    } catch (error) {
      logError(this.#parts.log, error);
      return undefined;
    }
  }

  set(issued: IssuedTokens): void {
    void this.#next(async () => {
      const id = this.#parts.memento.get<string>(rememberedSandbox.tokens) ?? randomUUID();
      await this.#parts.memento.update(rememberedSandbox.tokens, id);
      // guard S74: Secrets go to the secret store of the editor.
      await this.#parts.secrets.store(prefix + id, JSON.stringify(issued));
    });
  }

  forget(): Promise<void> {
    return this.#next(async () => {
      const id = this.#parts.memento.get<string>(rememberedSandbox.tokens);
      if (id === undefined) return;
      await this.#parts.secrets.delete(prefix + id);
      await this.#parts.memento.update(rememberedSandbox.tokens, undefined);
    });
  }

  /** Resolves once all is in the store. */
  stored(): Promise<void> {
    return this.#next(() => Promise.resolve());
  }

  #next(change: () => Promise<void>): Promise<void> {
    return this.#turns.next(change).catch((error: unknown) => logError(this.#parts.log, error));
  }
}

/** A worker thread that runs the sandbox, from its launch to its end. */
class LaunchedSandbox {
  readonly rpc: Rpc<SandboxCalls>;
  readonly #worker: Worker;

  /**
   * @param workerPath the worker's bundle
   * @param onEnd called once the thread has ended, for whatever reason
   */
  constructor(workerPath: string, news: Handlers<SandboxNews>, log: Log, onEnd: (reason: UserError) => void) {
    const worker = new Worker(workerPath, { name: 'runhook-sandbox' });
    this.#worker = worker;
    this.rpc = connectRpc<SandboxCalls, SandboxNews>(threadPort(worker), news);
    let cause = t('its thread stopped');
    worker.on('error', (error: Error) => {
      cause = failureText(error);
      log.error(error);
    });
    worker.on('exit', () => {
      const reason = new UserError(t('The sandbox stopped: {0}', cause), {
        remedies: [{ kind: 'startSandbox' }, { kind: 'showLog' }],
      });
      this.rpc.close(reason);
      onEnd(reason);
    });
  }

  /**
   * Serves on the requested port, else on the previous one, else on any free one: addresses of the sandbox stay valid
   * as long as its previous port is free.
   * @param waitsMs how long to wait before each retry while a port is taken
   */
  async listen(
    holds: Omit<Parameters<SandboxCalls['start']>[0], 'port'>,
    { port, before, waitsMs }: { port: number | undefined; before: number; waitsMs: readonly number[] },
  ): Promise<SandboxAddress> {
    const listen = (at: number) =>
      retryPort(at, waitsMs, (free) => this.rpc.call.start({ port: free, ...holds }));
    if (port !== undefined) return listen(port);
    try {
      return await listen(before);
    } catch (error) {
      if (!(error instanceof PortTakenError)) throw error;
      return listen(0);
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
