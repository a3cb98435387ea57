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

/** Opens and closes the tunnel for this window: that of the listener program, or a codespace's own address. */
export class TunnelControl implements vscode.Disposable {
  readonly #parts: TunnelControlParts;
  readonly #listening: vscode.Disposable;
  /** A codespace whose address is open, and the port that it leads to. */
  #opened: { codespace: Codespace; port: number } | undefined;
  /** Of opening and closing. */
  readonly #turns = new Turns();

  constructor(parts: TunnelControlParts) {
    this.#parts = parts;
    this.#listening = parts.listener.onDidChangeState((state) => this.#follow(state));
  }

  /**
   * Opens the tunnel, unless it is open or an address is set by hand; starts the listener if need be.
   * @throws UserError where there is no way or the program opens none, DeclinedError where the user declined
   */
  open(options: { provider?: TunnelProvider; confirmed?: boolean } = {}): Promise<{ publicUrl: string }> {
    return this.#turns.next(async () => {
      const { context, listener, prompts } = this.#parts;
      const { globalState } = context;
      const before = await listener.tunnel.known();
      if (before.kind === 'open') return { publicUrl: before.publicUrl };
      // What opens here was asked for in another window: the program gives that.
      if (before.kind !== 'opening') await this.#end();
      const byHand = config.publicUrl();
      if (byHand !== '') {
        await listener.start();
        return { publicUrl: byHand };
      }
      const way = await tunnelWay(prompts, globalState, options.provider ?? config.tunnelProvider());
      const { port } = await listener.start();
      // The program may have been there before this window asked for it.
      const { state } = listener.tunnel;
      if (state.kind === 'open') return { publicUrl: state.publicUrl };
      // guard: a program is asked for before its first start
      if (options.confirmed !== true) await allowTunnel(prompts, globalState, way, port);
      const opening =
        way.kind === 'codespace' ? this.#openCodespace(way.codespace, port) : this.#openProgram(way);
      return { publicUrl: await opening };
    });
  }

  /** Ends an opening too. */
  close(): Promise<void> {
    const { tunnel } = this.#parts.listener;
    const ending = tunnel.state.kind === 'opening' ? tunnel.close() : undefined;
    return this.#turns.next(async () => {
      await ending;
      await this.#end();
    });
  }

  /** The program's tunnel goes on without this window. */
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

  /** A codespace's own forwarded address: opened to everyone by one command. */
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

  /** An address of a port that nobody listens on any more would lead strangers to whoever takes it next. */
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

/** Runs a command where it can be seen. */
function runInTerminal(command: string): void {
  const name = t('Runhook Tunnel');
  const terminal =
    vscode.window.terminals.find((one) => one.name === name) ?? vscode.window.createTerminal({ name });
  terminal.sendText(command);
  terminal.show(true);
}
