import * as vscode from 'vscode';
import type { TunnelState } from '../../model/processes/tunnelState.ts';
import { t } from '../../model/text/l10n.ts';
import type { Codespace } from '../../model/processes/codespace.ts';

/** A codespace's own forwarded address: opened to everyone by one command, in a terminal where it can be seen. */
export class CodespaceTunnel {
  readonly #codespace: Codespace;
  readonly #port: number;
  readonly #onState: (state: TunnelState) => void;

  constructor(codespace: Codespace, port: number, onState: (state: TunnelState) => void) {
    this.#codespace = codespace;
    this.#port = port;
    this.#onState = onState;
  }

  /** Gives the public address. */
  open(): string {
    const publicUrl = this.#codespace.url(this.#port);
    this.#setVisibility('public');
    this.#onState({ kind: 'open', provider: 'codespaces', publicUrl });
    return publicUrl;
  }

  close(): void {
    this.#setVisibility('private');
    this.#onState({ kind: 'closed' });
  }

  #setVisibility(visibility: 'public' | 'private'): void {
    const name = t('Runhook Tunnel');
    const terminal =
      vscode.window.terminals.find((one) => one.name === name) ?? vscode.window.createTerminal({ name });
    terminal.sendText(this.#codespace.visibilityCommand(this.#port, visibility));
    terminal.show(true);
  }
}
