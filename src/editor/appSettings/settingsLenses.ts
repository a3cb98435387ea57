import * as vscode from 'vscode';
import { commandIds } from '../ids.ts';

/** Files of settings end so. */
export const settingsFileSuffix = '.runhook.json';

/** The links at the top of a file of settings, `*.runhook.json`. */
export class SettingsLenses implements vscode.CodeLensProvider {
  register(): vscode.Disposable {
    return vscode.languages.registerCodeLensProvider({ pattern: `**/*${settingsFileSuffix}` }, this);
  }

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
