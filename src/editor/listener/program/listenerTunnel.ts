import * as vscode from 'vscode';
import type { ReceivedProbe } from '../../../model/processes/listenerProtocol.ts';
import type { TunnelProgram, TunnelState } from '../../../model/processes/tunnelState.ts';
import { config } from '../../config.ts';
import type { ProgramHost } from './programHost.ts';
import type { WebhookSecrets } from '../secrets/webhookSecrets.ts';

/** The tunnel to the listener: that of its program, which all windows share, or the address of a codespace. */
export class ListenerTunnel implements vscode.Disposable {
  readonly #host: ProgramHost;
  readonly #secrets: WebhookSecrets;
  readonly #changed = new vscode.EventEmitter<{ before: TunnelState; now: TunnelState }>();
  readonly onDidChangeState = this.#changed.event;
  #state: TunnelState = { kind: 'closed' };
  /** That of a codespace is open, or about to be. Of a tunnel of its own the program knows by itself. */
  #isCodespaceOpen = false;

  constructor(host: ProgramHost, secrets: WebhookSecrets) {
    this.#host = host;
    this.#secrets = secrets;
  }

  get state(): TunnelState {
    return this.#state;
  }

  /** Where strangers reach the listener, if they do: by an open tunnel, else as the settings say. */
  get publicUrl(): string | undefined {
    return this.#state.kind === 'open' ? this.#state.publicUrl : config.publicUrl() || undefined;
  }

  /** Whether the program has to be told that strangers reach it. */
  get isPublic(): boolean {
    return this.#isCodespaceOpen || config.publicUrl() !== '';
  }

  /** Where it stands, once the program has told: it may have outlived a window. */
  async known(): Promise<TunnelState> {
    if (this.#host.isRunning) await this.#host.start();
    return this.#state;
  }

  /**
   * Has the program open it by another program, at that path; gives the one that is there already.
   * @throws UserError where there is none
   */
  async open(program: TunnelProgram, command: string): Promise<string> {
    await this.#haveSecret();
    return (await this.#host.ask('openTunnel', { program, command })).publicUrl;
  }

  /** Has the program close it, for all windows. Ends an opening too. */
  async close(): Promise<void> {
    if (this.#host.isRunning) await this.#host.ask('closeTunnel', null);
  }

  /**
   * While strangers may reach the listener by the address of a codespace, only signed deliveries are accepted. Called before that
   * opens: resolves when the program goes by it.
   */
  async setTunnelled(isTunnelled: boolean): Promise<void> {
    this.#isCodespaceOpen = isTunnelled;
    if (isTunnelled) await this.#haveSecret();
    else await this.#host.configure();
  }

  /** Tells the program to look out for a probe of the public address: it is no delivery. */
  async expectProbe(nonce: string): Promise<void> {
    await this.#host.ask('expectProbe', { nonce });
  }

  /** The probe as it arrived; undefined where it did not. */
  async collectProbe(nonce: string): Promise<ReceivedProbe | undefined> {
    return (await this.#host.ask('collectProbe', { nonce })) ?? undefined;
  }

  /** What the program tells of its tunnel. It knows of no codespace. */
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
  }

  async #haveSecret(): Promise<void> {
    await (await this.#secrets.store()).ensure();
    await this.#host.configure();
  }
}
