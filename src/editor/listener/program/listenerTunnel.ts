import * as vscode from 'vscode';
import type { ReceivedProbe } from '../../../model/processes/listenerProtocol.ts';
import type { TunnelProgram, TunnelState } from '../../../model/processes/tunnelState.ts';
import type { ProgramHost } from './programHost.ts';
import type { PublicAddress } from '../status/publicAddress.ts';
import type { WebhookSecrets } from '../secrets/webhookSecrets.ts';

export interface ListenerTunnelOptions {
  host: ProgramHost;
  publicAddress: PublicAddress;
  secrets: WebhookSecrets;
  /** The public address may be another one now. */
  onAddress: () => void;
}

/** The tunnel to the listener: that of its program, which all windows share, or the address of a codespace. */
export class ListenerTunnel implements vscode.Disposable {
  readonly #options: ListenerTunnelOptions;
  readonly #changed = new vscode.EventEmitter<{ before: TunnelState; now: TunnelState }>();
  readonly onDidChangeState = this.#changed.event;
  #state: TunnelState = { kind: 'closed' };

  constructor(options: ListenerTunnelOptions) {
    this.#options = options;
  }

  get state(): TunnelState {
    return this.#state;
  }

  /** Where it stands, once the program has told: it may have outlived a window. */
  async known(): Promise<TunnelState> {
    const { host } = this.#options;
    if (host.isRunning) await host.start();
    return this.#state;
  }

  /**
   * Has the program open it by another program, at that path; gives the one that is there already.
   * @throws UserError where there is none
   */
  async open(program: TunnelProgram, command: string): Promise<string> {
    await this.#haveSecret();
    return (await this.#options.host.ask('openTunnel', { program, command })).publicUrl;
  }

  /** Has the program close it, for all windows. Ends an opening too. */
  async close(): Promise<void> {
    const { host } = this.#options;
    if (host.isRunning) await host.ask('closeTunnel', null);
  }

  /**
   * While strangers may reach the listener by the address of a codespace, only signed deliveries are accepted. Called before that
   * opens: resolves when the program goes by it.
   */
  async setTunnelled(isTunnelled: boolean): Promise<void> {
    const { host, publicAddress } = this.#options;
    publicAddress.isTunnelled = isTunnelled;
    if (isTunnelled) await this.#haveSecret();
    else await host.configure();
  }

  /** Tells the program to look out for a probe of the public address: it is no delivery. */
  async expectProbe(nonce: string): Promise<void> {
    await this.#options.host.ask('expectProbe', { nonce });
  }

  /** The probe as it arrived; undefined where it did not. */
  async collectProbe(nonce: string): Promise<ReceivedProbe | undefined> {
    return (await this.#options.host.ask('collectProbe', { nonce })) ?? undefined;
  }

  /** What the program tells of its tunnel. It knows of no codespace. */
  told(state: TunnelState): void {
    const isCodespace = 'provider' in this.#state && this.#state.provider === 'codespaces';
    if (!isCodespace || state.kind !== 'closed') this.set(state);
  }

  set(now: TunnelState): void {
    const before = this.#state;
    this.#state = now;
    const { publicAddress, onAddress } = this.#options;
    publicAddress.tunnelUrl = now.kind === 'open' ? now.publicUrl : undefined;
    onAddress();
    this.#changed.fire({ before, now });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #haveSecret(): Promise<void> {
    const { host, secrets } = this.#options;
    await (await secrets.store()).ensure();
    await host.configure();
  }
}
