import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { commandIds } from '../ids.ts';

/** Says that the tunnel is gone for good: the service would go on sending to it. */
export async function tellOfEnd(reason: string): Promise<void> {
  const again = t('Open Tunnel');
  const told = t('The tunnel has ended: {0}', plainText(reason, 400));
  const action = await vscode.window.showWarningMessage(told, again);
  if (action === again) await vscode.commands.executeCommand(commandIds.openTunnel);
}
