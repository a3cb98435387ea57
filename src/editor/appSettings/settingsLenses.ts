import * as vscode from 'vscode';
import { commandIds } from '../ids.ts';

/** The links at the top of a file of settings, `*.runhook.json`. */
export class SettingsLenses implements vscode.CodeLensProvider {
  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const top = new vscode.Range(0, 0, 0, 0);
    const lens = (command: string, title: string) =>
      new vscode.CodeLens(top, { command, title, arguments: [{ file: uri.toString() }] });
    return [
      lens(commandIds.applySettingsFile, `$(cloud-upload) ${vscode.l10n.t('Apply')}`),
      lens(commandIds.openSettingsFile, `$(settings) ${vscode.l10n.t('Open in Form')}`),
    ];
  }
}
