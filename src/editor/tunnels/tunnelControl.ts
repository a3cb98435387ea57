import * as vscode from 'vscode';
import type { ListenerState } from '../../model/processes/listenerState.ts';
import type { TunnelProvider } from '../../model/processes/tunnelState.ts';
import { t } from '../../model/text/l10n.ts';
import { config } from '../config.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import type { Listener } from '../listener/feature.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { Turns } from '../../model/async/turns.ts';
import type { Codespace } from '../../model/processes/codespace.ts';
import { allowTunnel, tunnelWay, type TunnelWay } from './tunnelChoice.ts';

export interface TunnelControlParts {
  context: vscode.ExtensionContext;
  listener: Listener;
  prompts: Prompts;
  log: Log;
}

/** Opens and closes the tunnel for this window: the listener program's, or a codespace's own address. */
export class TunnelControl implements vscode.Disposable {
  readonly #parts: TunnelControlParts;
  readonly #listening: vscode.Disposable;
  /** The codespace whose address is open, and the port that it leads to. */
  #opened: { codespace: Codespace; port: number } | undefined;
  /** Opening and closing run one at a time. */
  readonly #turns = new Turns();

  constructor(parts: TunnelControlParts) {
    this.#parts = parts;
    this.#listening = parts.listener.onDidChangeState((state) => this.#follow(state));
  }

  /**
   * Opens the tunnel, unless it is open or the settings have a public URL. Starts the listener if needed.
   * @throws UserError if no way is available or the program opens no tunnel, DeclinedError if the user declines
   */
  open(options: { provider?: TunnelProvider; confirmed?: boolean } = {}): Promise<{ publicUrl: string }> {
    return this.#turns.next(async () => {
      const { context, listener, prompts } = this.#parts;
      const { globalState } = context;
      const before = await listener.tunnel.known();
      if (before.kind === 'open') return { publicUrl: before.publicUrl };
      // A tunnel that is opening was requested in another window: the program returns that one.
      if (before.kind !== 'opening') await this.#end();
      const configuredUrl = config.publicUrl();
      if (configuredUrl !== '') {
        await listener.start();
        return { publicUrl: configuredUrl };
      }
      const way = await tunnelWay(prompts, globalState, options.provider ?? config.tunnelProvider());
      const { port } = await listener.start();
      // The program may have run, with an open tunnel, before this window attached to it.
      const { state } = listener.tunnel;
      if (state.kind === 'open') return { publicUrl: state.publicUrl };
      // guard: a program is asked for before its first start
      if (options.confirmed !== true) await allowTunnel(prompts, globalState, way, port);
      const opening =
        way.kind === 'codespace' ? this.#openCodespace(way.codespace, port) : this.#openProgram(way);
      return { publicUrl: await opening };
    });
  }

  /** Closes the tunnel. Also cancels one that is opening. */
  close(): Promise<void> {
    const { tunnel } = this.#parts.listener;
    const ending = tunnel.state.kind === 'opening' ? tunnel.close() : undefined;
    return this.#turns.next(async () => {
      await ending;
      await this.#end();
    });
  }

  /** The program's tunnel stays open without this window. */
  dispose(): void {
    this.#listening.dispose();
    this.#closeCodespaceInBackground();
  }

  async #openProgram({ program, command }: TunnelWay & { kind: 'program' }): Promise<string> {
    const { tunnel } = this.#parts.listener;
    const title = t('Opening a tunnel');
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    return await vscode.window.withProgress(options, async (_, cancellation) => {
      const cancelled = cancellation.onCancellationRequested(() => void tunnel.close());
      try {
        return await tunnel.open(program, command);
      } catch (error) {
        if (!cancellation.isCancellationRequested) throw error;
        throw new DeclinedError(t('No tunnel was opened.'));
      } finally {
        cancelled.dispose();
      }
    });
  }

  /** Opens a codespace's own forwarded address to everyone, with one command. */
  async #openCodespace(codespace: Codespace, port: number): Promise<string> {
    const { tunnel } = this.#parts.listener;
    this.#opened = { codespace, port };
    // guard: that of a codespace as well
    await tunnel.setTunnelled(true);
    runInTerminal(codespace.visibilityCommand(port, 'public'));
    const publicUrl = codespace.url(port);
    tunnel.set({ kind: 'open', provider: 'codespaces', publicUrl });
    return publicUrl;
  }

  async #end(): Promise<void> {
    await this.#parts.listener.tunnel.close();
    await this.#endCodespace();
  }

  async #endCodespace(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    const { tunnel } = this.#parts.listener;
    runInTerminal(opened.codespace.visibilityCommand(opened.port, 'private'));
    tunnel.set({ kind: 'closed' });
    await tunnel.setTunnelled(false);
  }

  /** Closes an address whose port is no longer listened on: it would lead strangers to the port's next user. */
  #follow(state: ListenerState): void {
    if (this.#opened === undefined || state.kind === 'starting') return;
    if (state.kind !== 'listening' || state.port !== this.#opened.port) this.#closeCodespaceInBackground();
  }

  #closeCodespaceInBackground(): void {
    this.#turns
      .next(() => this.#endCodespace())
      .catch((error: unknown) => this.#parts.log.error(`Closing the tunnel failed: ${String(error)}`));
  }
}

/** Runs a command in a visible terminal. */
function runInTerminal(command: string): void {
  const name = t('Runhook Tunnel');
  const terminal =
    vscode.window.terminals.find((one) => one.name === name) ?? vscode.window.createTerminal({ name });
  terminal.sendText(command);
  terminal.show(true);
}
