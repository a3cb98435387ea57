import * as vscode from 'vscode';
import { isTunnelThere } from '../../model/processes/tunnelState.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import type { Provides } from '../commands.ts';
import { commandIds, contextIds } from '../ids.ts';
import { logError } from '../log.ts';
import type { Services } from '../kit/services.ts';

/** The tunnels, which make this machine reachable from the service. */
export function registerTunnels(services: Services): Provides<'tunnels'> {
  const { listener, log } = services;
  // The program may have a tunnel that an earlier window has opened.
  const followed = listener.tunnel.onDidChangeState(({ before, now }) => {
    void vscode.commands.executeCommand('setContext', contextIds.tunnelOpen, isTunnelThere(now));
    if (before.kind !== 'reopening' || now.kind !== 'failed') return;
    tellOfEnd(now.reason).catch((error: unknown) => logError(log, error));
  });
  return {
    commands: async () => (await import('./tunnelCommands.ts')).tunnelCommands(services),
    dispose: () => void followed.dispose(),
  };
}

/** Warns that the tunnel is gone for good, since the service would keep sending to it. */
async function tellOfEnd(reason: string): Promise<void> {
  const again = t('Open Tunnel');
  const told = t('The tunnel has ended: {0}', plainText(reason, 400));
  const action = await vscode.window.showWarningMessage(told, again);
  if (action === again) await vscode.commands.executeCommand(commandIds.openTunnel);
}
