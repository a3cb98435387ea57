import * as vscode from 'vscode';
import { type CommandId, commandIds } from '../../../contract/commands.ts';
import type { ListenerState } from '../../../deliveries/listenerState.ts';
import { isTunnelThere } from '../../../deliveries/listenerProtocol.ts';
import { targetsText } from '../../../deliveries/routes/targetText.ts';
import { toLookAtText } from '../../../deliveries/toLookAt.ts';
import { t } from '../../../shared/text/l10n.ts';
import { viewIds } from '../../kit/ids.ts';
import { openSettings } from '../../kit/openSettings.ts';
import type { Choice, Prompts } from '../../kit/prompts.ts';
import type { Listener } from '../listener.ts';
import type { TerminalSecret } from '../secrets/terminalSecret.ts';
import { statusLook } from './statusLook.ts';

/** Run by a click on the status item; internal, so not in package.json. */
export const statusMenuCommand = 'runhook.listener.menu';

/** The listener in the status bar: its state, port and count of deliveries. A click offers fitting actions. */
export class ListenerStatusItem implements vscode.Disposable {
  readonly #listener: Listener;
  readonly #terminals: Pick<TerminalSecret, 'variable'>;
  readonly #prompts: Prompts;
  readonly #item = vscode.window.createStatusBarItem('runhook.listener', vscode.StatusBarAlignment.Left, 10);
  readonly #owned: readonly { dispose(): unknown }[];

  constructor(listener: Listener, terminals: Pick<TerminalSecret, 'variable'>, prompts: Prompts) {
    this.#listener = listener;
    this.#terminals = terminals;
    this.#prompts = prompts;
    this.#item.name = t('Runhook listener');
    this.#owned = [
      this.#item,
      vscode.commands.registerCommand(statusMenuCommand, () => this.#openMenu()),
      listener.onDidChangeState((state) => this.#show(state)),
      listener.onDidChangeLooks(() => this.#show(listener.state)),
      listener.destinations.onDidChange(() => this.#show(listener.state)),
      listener.onDidReceiveNews(() => this.#show(listener.state)),
    ];
  }

  dispose(): void {
    for (const one of this.#owned) one.dispose();
  }

  #show(state: ListenerState): void {
    const item = this.#item;
    const { looks, program, destinations, total } = this.#listener;
    const counts = { arrived: total, toLookAt: looks.count };
    const look = statusLook(state, counts, program, targetsText(destinations.forward));
    if (look === undefined) {
      item.hide();
      return;
    }
    const { background } = look;
    item.text = look.text;
    item.tooltip = look.tooltip;
    item.backgroundColor = background && new vscode.ThemeColor(`statusBarItem.${background}Background`);
    item.command = state.kind === 'failed' ? commandIds.startListener : statusMenuCommand;
    item.show();
  }

  async #openMenu(): Promise<void> {
    const { state } = this.#listener;
    if (state.kind === 'stopped' || state.kind === 'failed') {
      await vscode.commands.executeCommand(commandIds.startListener);
      return;
    }
    const isPublic = state.kind === 'listening' && state.publicUrl !== undefined;
    const picked = await this.#prompts.pick(
      t('Webhook listener'),
      menu({
        isPublic,
        hasTunnel: isTunnelThere(this.#listener.tunnel.state),
        where: targetsText(this.#listener.destinations.forward),
        toLookAt: this.#listener.looks.count,
        variable: this.#terminals.variable,
      }),
    );
    if (picked === 'copyUrl') {
      if (state.kind === 'listening') await vscode.env.clipboard.writeText(state.publicUrl ?? state.url);
    } else if (picked === 'openPublicUrl') {
      const { command, arguments: given } = openSettings({
        kind: 'openSettings',
        ids: ['listener.publicUrl'],
      });
      await vscode.commands.executeCommand(command, ...given);
    } else if (picked !== undefined) {
      await vscode.commands.executeCommand(picked);
    }
  }
}

/** Shows the Deliveries view. VS Code creates such a command for each view. */
const showDeliveries = `${viewIds.deliveries}.focus` as const;

interface MenuState {
  isPublic: boolean;
  /** Whether that is by a tunnel, which can be closed, and not by a setting. */
  hasTunnel: boolean;
  /** Where deliveries go, in words. */
  where: string;
  /** How many deliveries need a look. */
  toLookAt: number;
  /** The variable in which terminals have the secret; undefined if they do not have it. */
  variable: string | undefined;
}

function menu({
  isPublic,
  hasTunnel,
  where,
  toLookAt,
  variable,
}: MenuState): Choice<CommandId | typeof showDeliveries | 'copyUrl' | 'openPublicUrl'>[] {
  return [
    ...(toLookAt === 0
      ? []
      : [
          {
            label: t('$(warning) Show Deliveries'),
            description: toLookAtText(toLookAt),
            value: showDeliveries,
          },
        ]),
    { label: t('$(output) Show Output'), value: commandIds.showOutput },
    { label: t('$(copy) Copy URL'), value: 'copyUrl' },
    ...(isPublic ? [{ label: t('$(pulse) Check Public URL'), value: commandIds.checkPublicUrl }] : []),
    hasTunnel
      ? { label: t('$(lock) Close Tunnel'), value: commandIds.closeTunnel }
      : isPublic
        ? {
            label: t('$(gear) Open Settings'),
            description: t('the public address'),
            value: 'openPublicUrl' as const,
          }
        : { label: t('$(globe) Open Tunnel'), value: commandIds.openTunnel },
    { label: t('$(debug-stop) Stop'), value: commandIds.stopListener },
    {
      heading: t('your handler'),
      label: t('$(arrow-right) Forward to…'),
      description: where,
      value: commandIds.setForwardTo,
    },
    { label: t('$(beaker) Send Test Delivery'), value: commandIds.sendTestDelivery },
    { label: t('$(debug-alt) Debug a Handler…'), value: commandIds.debugHandler },
    { heading: t('secret'), label: t('$(key) Copy Secret'), value: commandIds.copyWebhookSecret },
    variable === undefined
      ? {
          label: t('$(terminal) Give Terminals the Webhook Secret…'),
          value: commandIds.giveTerminalsWebhookSecret,
        }
      : {
          label: t('$(terminal) Remove the Secret from Terminals'),
          description: variable,
          value: commandIds.takeTerminalsWebhookSecret,
        },
    { label: t('$(file) Write Webhook Secret to .env…'), value: commandIds.writeWebhookSecret },
  ];
}
