import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ListenerState } from '../../model/listenerState.ts';
import { plainText } from '../../model/plainText.ts';
import { config } from '../config.ts';
import { DeclinedError } from '../declinedError.ts';
import type { Log } from '../log.ts';
import { CodespaceTunnel } from './codespaceTunnel.ts';
import { Tunnel, tunnelTimes } from './tunnel.ts';
import type { TunnelProvider } from './tunnelAdapter.ts';
import type { TunnelChoice, TunnelWay } from './tunnelChoice.ts';
import type { OpenableTunnel, TunnelState } from './tunnelState.ts';

/** What a tunnel needs of the listener. */
export interface TunnelListener {
  readonly state: ListenerState;
  readonly onDidChangeState: vscode.Event<ListenerState>;
  start(): Promise<{ port: number; publicUrl?: string }>;
  setTunnelled(isTunnelled: boolean): Promise<void>;
  setPublicUrl(url: string | undefined): void;
}

export interface TunnelControlParts {
  listener: TunnelListener;
  choice: TunnelChoice;
  /** The bundle of tunnelGuard, which tunnel programs run under. */
  guardFile: string;
  log: Log;
}

/** The one tunnel of this window: it ends with the listener, and while it is there only signed deliveries are accepted. */
export class TunnelControl implements vscode.Disposable {
  readonly #parts: TunnelControlParts;
  readonly #changed = new vscode.EventEmitter<TunnelState>();
  readonly #listening: vscode.Disposable;
  #state: TunnelState = { kind: 'closed' };
  #tunnel: { way: OpenableTunnel; port: number } | undefined;
  /** The last opening or closing: the next one waits for it. */
  #last: Promise<unknown> = Promise.resolve();

  readonly onDidChangeState = this.#changed.event;

  constructor(parts: TunnelControlParts) {
    this.#parts = parts;
    this.#listening = parts.listener.onDidChangeState((state) => this.#follow(state));
  }

  get state(): TunnelState {
    return this.#state;
  }

  /**
   * Opens the tunnel, unless it is open or an address is set by hand; starts the listener if need be.
   * @throws UserError where there is no way or the program opens none, DeclinedError where the user declined
   */
  open(options: { provider?: TunnelProvider; confirmed?: boolean } = {}): Promise<{ publicUrl: string }> {
    return this.#next(async () => {
      if (this.#state.kind === 'open') return { publicUrl: this.#state.publicUrl };
      await this.#end();
      const byHand = config.publicUrl();
      if (byHand !== '') {
        await this.#parts.listener.start();
        return { publicUrl: byHand };
      }
      const way = await this.#parts.choice.way(options.provider ?? config.tunnelProvider());
      const { port } = await this.#parts.listener.start();
      if (options.confirmed !== true) await this.#parts.choice.allow(way, port);
      return { publicUrl: await this.#open(way, port) };
    });
  }

  /** Ends an opening too. */
  close(): Promise<void> {
    const ending = this.#state.kind === 'opening' ? this.#tunnel?.way.close() : undefined;
    return this.#next(async () => {
      await ending;
      await this.#end();
    });
  }

  dispose(): void {
    this.#listening.dispose();
    this.#closeInBackground();
    this.#changed.dispose();
  }

  #next<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#last.then(action, action);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #open(way: TunnelWay, port: number): Promise<string> {
    const tunnel = this.#make(way, port);
    this.#tunnel = { way: tunnel, port };
    await this.#parts.listener.setTunnelled(true);
    const title = vscode.l10n.t('Opening a tunnel');
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    try {
      return await vscode.window.withProgress(options, async (_, cancellation) => {
        const cancelled = cancellation.onCancellationRequested(() => void tunnel.close());
        try {
          return await tunnel.open();
        } catch (error) {
          if (!cancellation.isCancellationRequested) throw error;
          throw new DeclinedError(vscode.l10n.t('No tunnel was opened.'));
        } finally {
          cancelled.dispose();
        }
      });
    } catch (error) {
      this.#tunnel = undefined;
      await this.#parts.listener.setTunnelled(false);
      throw error;
    }
  }

  #make(way: TunnelWay, port: number): OpenableTunnel {
    const onState = (state: TunnelState): void => this.#set(state);
    if (way.kind === 'codespace') return new CodespaceTunnel(way.codespace, port, onState);
    return new Tunnel({
      ...tunnelTimes,
      adapter: way.adapter,
      command: way.command,
      guardFile: this.#parts.guardFile,
      port,
      delay: (ms, signal) => delay(ms, undefined, { signal }),
      now: () => Date.now(),
      onLine: (line) => this.#parts.log.debug(`${way.adapter.program}: ${line}`),
      onState,
      t: vscode.l10n.t,
    });
  }

  async #end(): Promise<void> {
    const tunnel = this.#tunnel;
    this.#tunnel = undefined;
    await tunnel?.way.close();
    if (tunnel !== undefined) await this.#parts.listener.setTunnelled(false);
  }

  /** A tunnel to a port that nobody listens on any more would lead strangers to whoever takes it next. */
  #follow(state: ListenerState): void {
    if (this.#tunnel === undefined || state.kind === 'starting') return;
    if (state.kind !== 'listening' || state.port !== this.#tunnel.port) this.#closeInBackground();
  }

  #closeInBackground(): void {
    this.close().catch((error: unknown) =>
      this.#parts.log.error(`Closing the tunnel failed: ${String(error)}`),
    );
  }

  #set(state: TunnelState): void {
    const { kind: before } = this.#state;
    this.#state = state;
    this.#parts.listener.setPublicUrl(state.kind === 'open' ? state.publicUrl : undefined);
    this.#changed.fire(state);
    if (state.kind === 'failed' && before === 'reopening') this.#tellOfEnd(state.reason);
  }

  /** The tunnel is gone for good, and the service would go on sending to it. */
  #tellOfEnd(reason: string): void {
    this.#closeInBackground();
    const again = vscode.l10n.t('Open Tunnel');
    vscode.window
      .showWarningMessage(vscode.l10n.t('The tunnel has ended: {0}', plainText(reason, 400)), again)
      .then(
        (action) => {
          if (action === again) this.open().catch((error: unknown) => this.#parts.log.error(String(error)));
        },
        (error: unknown) => this.#parts.log.error(String(error)),
      );
  }
}
