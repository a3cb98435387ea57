import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import { clicked } from '../commands.ts';
import { commandIds } from '../ids.ts';

/** The links at the top of a file of settings, `*.runhook.json`. */
export const settingsLenses: vscode.CodeLensProvider = {
  provideCodeLenses({ uri }) {
    const top = new vscode.Range(0, 0, 0, 0);
    const lens = (command: string, title: string) =>
      new vscode.CodeLens(top, { command, title, arguments: clicked({ file: uri.toString() }) });
    return [
      lens(commandIds.applySettingsFile, `$(cloud-upload) ${t('Apply')}`),
      lens(commandIds.openSettingsFile, `$(settings) ${t('Open in Form')}`),
    ];
  },
};
