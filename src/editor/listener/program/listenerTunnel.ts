import * as vscode from 'vscode';
import {
  type OpenedRelay,
  type ProgramCalls,
  publicUrlOf,
  type ReceivedProbe,
  type TunnelProgram,
  type TunnelState,
} from '../../../deliveries/listenerProtocol.ts';
import type { ListeningState } from '../../../deliveries/listenerState.ts';
import { config } from '../../kit/config.ts';
import type { ProgramHost } from './programHost.ts';
import type { WebhookSecrets } from '../secrets/webhookSecrets.ts';

/** The tunnel to the listener: the program's, which all windows share, or a codespace's address. */
export class ListenerTunnel implements vscode.Disposable {
  readonly #host: ProgramHost;
  readonly #secrets: WebhookSecrets;
  readonly #changed = new vscode.EventEmitter<{ before: TunnelState; now: TunnelState }>();
  readonly onDidChangeState = this.#changed.event;
  readonly #ended = new vscode.EventEmitter<void>();
  readonly onDidEndOpening = this.#ended.event;
  /** Whether this window opens it: who can reach the listener is known at the end. */
  isBeingOpened = false;
  #state: TunnelState = { kind: 'closed' };
  /** Whether a codespace's address is open or about to be. The program knows of its own tunnel by itself. */
  #isCodespaceOpen = false;

  constructor(host: ProgramHost, secrets: WebhookSecrets) {
    this.#host = host;
    this.#secrets = secrets;
  }

  get state(): TunnelState {
    return this.#state;
  }

  /** Where strangers reach the listener: an open tunnel, else the settings; undefined if they cannot. */
  get publicUrl(): string | undefined {
    return publicUrlOf(this.#state) ?? (config.publicUrl() || undefined);
  }

  /** Whether the program has to be told that strangers reach it. */
  get isPublic(): boolean {
    return this.#isCodespaceOpen || config.publicUrl() !== '';
  }

  /** The tunnel's state, once the program has reported it: the tunnel may have outlived a window. */
  async known(): Promise<TunnelState> {
    if (this.#host.isRunning) await this.#host.start();
    return this.#state;
  }

  /**
   * Has the listener program open a tunnel with a tunnel program. Returns the open or opening tunnel if there is one.
   * @param command the path of the tunnel program
   * @returns the public URL
   * @throws UserError if no tunnel can be opened
   */
  async open(program: TunnelProgram, command: string): Promise<string> {
    await this.#haveSecret();
    const open = await this.#host.ask((listener) => listener.openTunnel({ program, command }));
    return open.publicUrl;
  }

  /** The relay that the listener reads from, and why it cannot be reached; undefined if there is none. */
  get relay(): ListeningState['relay'] {
    const state = this.#state;
    if (state.kind === 'open' && state.provider === 'relay') return {};
    return state.kind === 'reopening' && state.provider === 'relay' ? { problem: state.reason } : undefined;
  }

  /** Why a tunnel that was open is being opened again; undefined if none is. */
  get tunnelProblem(): string | undefined {
    const state = this.#state;
    return state.kind === 'reopening' && state.provider !== 'relay' ? state.reason : undefined;
  }

  /**
   * Has the listener program read from a relay, in place of a tunnel.
   * @throws UserError if the relay cannot be used
   */
  async openRelay(by: Parameters<ProgramCalls['openRelay']>[0]): Promise<OpenedRelay> {
    await this.#haveSecret();
    return this.#host.ask((listener) => listener.openRelay(by));
  }

  /** Does all that opening takes, from the start of the listener on. */
  async whileOpening<T>(work: () => Promise<T>): Promise<T> {
    this.isBeingOpened = true;
    try {
      return await work();
    } finally {
      this.isBeingOpened = false;
      this.#ended.fire();
    }
  }

  /** Has the program close the tunnel for all windows. Also cancels one that is opening. */
  async close(): Promise<void> {
    if (this.#host.isRunning) await this.#host.ask((program) => program.closeTunnel());
  }

  /**
   * While strangers may reach the listener by a codespace's address, only signed deliveries are accepted. Call this
   * before the address opens: it resolves once the program applies the rule.
   */
  async setTunnelled(isTunnelled: boolean): Promise<void> {
    this.#isCodespaceOpen = isTunnelled;
    if (isTunnelled) await this.#haveSecret();
    else await this.#host.configure();
  }

  /** Tells the program to expect a probe of the public address, which is not a delivery. */
  async expectProbe(nonce: string): Promise<void> {
    await this.#host.ask((program) => program.expectProbe({ nonce }));
  }

  /** The probe as it arrived; undefined if it did not. @param isSent whether it may still come */
  async collectProbe(nonce: string, isSent: boolean): Promise<ReceivedProbe | undefined> {
    return (await this.#host.ask((program) => program.collectProbe({ nonce, isSent }))) ?? undefined;
  }

  /** Takes the state of the program's tunnel. The program does not know of a codespace's, so it cannot close that. */
  told(state: TunnelState): void {
    const isCodespace = 'provider' in this.#state && this.#state.provider === 'codespaces';
    if (!isCodespace || state.kind !== 'closed') this.set(state);
  }

  set(now: TunnelState): void {
    const before = this.#state;
    this.#state = now;
    this.#changed.fire({ before, now });
  }

  dispose(): void {
    this.#changed.dispose();
    this.#ended.dispose();
  }

  async #haveSecret(): Promise<void> {
    await (await this.#secrets.store()).ensure();
    await this.#host.configure();
  }
}
