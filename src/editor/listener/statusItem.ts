import * as vscode from 'vscode';
import type { ListenerState } from '../../model/listenerState.ts';
import { type CommandId, commandIds } from '../ids.ts';
import type { Choice, Prompts } from '../prompts.ts';
import type { Listener } from './listener.ts';
import type { ListeningState } from './listeningState.ts';

/** What a click on the status item runs; internal, so not in package.json. */
export const statusMenuCommand = 'runhook.listener.menu';

/** The listener in the status bar: its state, port and count of deliveries. A click offers what fits the state. */
export class ListenerStatusItem implements vscode.Disposable {
  readonly #listener: Listener;
  readonly #prompts: Prompts;
  readonly #item = vscode.window.createStatusBarItem('runhook.listener', vscode.StatusBarAlignment.Left, 10);
  readonly #owned: readonly { dispose(): unknown }[];
  /** Deliveries since the listener started. */
  #count = 0;

  constructor(listener: Listener, prompts: Prompts) {
    this.#listener = listener;
    this.#prompts = prompts;
    this.#item.name = vscode.l10n.t('Runhook listener');
    this.#owned = [
      this.#item,
      vscode.commands.registerCommand(statusMenuCommand, () => this.#openMenu()),
      listener.onDidChangeState((state) => {
        if (state.kind === 'starting') this.#count = 0;
        this.#show(state);
      }),
      listener.onDidArrive((arrivals) => {
        this.#count += arrivals.length;
        this.#show(listener.state);
      }),
    ];
  }

  dispose(): void {
    for (const one of this.#owned) one.dispose();
  }

  #show(state: ListenerState): void {
    const item = this.#item;
    item.command = state.kind === 'failed' ? commandIds.startListener : statusMenuCommand;
    item.backgroundColor = background(state);
    switch (state.kind) {
      case 'stopped':
        item.hide();
        return;
      case 'starting':
        item.text = `$(loading~spin) ${vscode.l10n.t('Listener')}`;
        item.tooltip = vscode.l10n.t('The webhook listener is starting.');
        break;
      case 'failed':
        item.text = `$(error) ${vscode.l10n.t('Listener')}`;
        item.tooltip = vscode.l10n.t('{0}\nClick to start the listener again.', state.reason);
        break;
      case 'listening':
        item.text = listeningText(state, this.#count);
        item.tooltip = listeningTooltip(state);
    }
    item.show();
  }

  async #openMenu(): Promise<void> {
    const { state } = this.#listener;
    if (state.kind === 'stopped' || state.kind === 'failed') {
      await vscode.commands.executeCommand(commandIds.startListener);
      return;
    }
    const isPublic = state.kind === 'listening' && state.publicUrl !== undefined;
    const picked = await this.#prompts.pick(vscode.l10n.t('Webhook listener'), menu(isPublic));
    if (picked === 'copyUrl') {
      if (state.kind === 'listening') await vscode.env.clipboard.writeText(state.publicUrl ?? state.url);
    } else if (picked !== undefined) {
      await vscode.commands.executeCommand(picked);
    }
  }
}

function menu(isPublic: boolean): Choice<CommandId | 'copyUrl'>[] {
  return [
    { label: vscode.l10n.t('$(output) Show Output'), value: commandIds.showOutput },
    { label: vscode.l10n.t('$(copy) Copy URL'), value: 'copyUrl' },
    { label: vscode.l10n.t('$(key) Copy Secret'), value: commandIds.copyWebhookSecret },
    { label: vscode.l10n.t('$(beaker) Send Test Delivery'), value: commandIds.sendTestDelivery },
    ...(isPublic
      ? [
          { label: vscode.l10n.t('$(pulse) Check Public URL'), value: commandIds.checkPublicUrl },
          { label: vscode.l10n.t('$(lock) Close Tunnel'), value: commandIds.closeTunnel },
        ]
      : [{ label: vscode.l10n.t('$(globe) Open Tunnel'), value: commandIds.openTunnel }]),
    { label: vscode.l10n.t('$(debug-stop) Stop'), value: commandIds.stopListener },
  ];
}

function listeningText({ port, publicUrl, problem }: ListeningState, count: number): string {
  const icon = problem === undefined ? (publicUrl === undefined ? 'radio-tower' : 'globe') : 'error';
  return count === 0 ? `$(${icon}) ${port}` : `$(${icon}) ${port} · ${count}`;
}

function listeningTooltip({ url, publicUrl, problem }: ListeningState): string {
  const where =
    publicUrl === undefined
      ? vscode.l10n.t('Webhooks are taken on {0}, from this machine only.', url)
      : vscode.l10n.t('Webhooks are taken on {0}, public as {1}.', url, publicUrl);
  return problem === undefined
    ? where
    : `${where}\n${vscode.l10n.t('Deliveries cannot be kept and get no answer: {0}', problem)}`;
}

function background(state: ListenerState): vscode.ThemeColor | undefined {
  if (state.kind === 'failed' || (state.kind === 'listening' && state.problem !== undefined)) {
    return new vscode.ThemeColor('statusBarItem.errorBackground');
  }
  return state.kind === 'listening' && state.publicUrl !== undefined
    ? new vscode.ThemeColor('statusBarItem.warningBackground')
    : undefined;
}
